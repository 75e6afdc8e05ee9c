// Recomputes a block's hash in the browser from the block's parts, and says for each step whether it agrees
// with the beacon.
import { fromHex, toHex } from '../../../shared/proof/bytes.ts'
import {
  blockHash,
  GENESIS_MESSAGE,
  genesisPreviousHash,
  jsonHash,
} from '../../../shared/proof/composites.ts'
import { uuid7Time } from '../../../shared/proof/ids.ts'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { checkOf } from '../items/recompute_item.ts'
import type { Block } from './block.ts'

/** The previous hash of the first block. */
export const GENESIS_PREVIOUS_HASH = toHex(genesisPreviousHash(GENESIS_MESSAGE))

export type Recomputation = ReturnType<typeof recomputeBlock>

/**
 * Uses the beacon's own id, hash and previous_hash, not the block's copies. Otherwise a correct block could
 * make a false beacon seem correct.
 */
export const recomputeBlock = (beacon: Beacon, block: Block) => {
  const metadataHash = jsonHash('block_metadata', block.metadata)
  const hash = blockHash({
    id: beacon.id,
    previousBlockHash: fromHex(beacon.previous_hash),
    merkleRoot: fromHex(block.merkleRoot),
    metadataHash,
    keyId: fromHex(block.keyId),
  })
  const idTime = uuid7Time(beacon.id)
  /** The rule is the compared or hashed expression, in the notation of the proof format. */
  const steps = [
    checkOf('Metadata hash', 'D(0x33, JCS(metadata))', block.metadataHash, metadataHash),
    checkOf('Block hash', 'D(0x32, id ‖ previous ‖ merkle root ‖ metadata hash ‖ key id)', beacon.hash, hash),
    {
      name: 'Time in the id',
      rule: 'first 48 bits of the UUIDv7',
      expected: beacon.timestamp,
      computed: idTime === undefined ? 'none' : new Date(idTime).toISOString(),
      ok: idTime === Date.parse(beacon.timestamp),
    },
  ]
  return { ok: steps.every((step) => step.ok), steps }
}
