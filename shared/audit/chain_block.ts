// Checks what a block says of itself: its hashes, its signature, its link to the block before it, and its order. The
// rows of a database and the entries of a public log are checked alike.
import { toHex } from '../proof/bytes.ts'
import { blockHash, canonicalTextHash, GENESIS_MESSAGE, genesisPreviousHash } from '../proof/composites.ts'
import { EMPTY_ROOT } from '../proof/merkle.ts'
import { isUuid7 } from '../proof/uuid7.ts'
import { agree, type Disagreements, holds, readCanonical, type StoredPlace } from './disagreement.ts'
import type { ChainKey } from './key_chain.ts'

export interface ChainBlock {
  readonly height: number
  readonly id: string
  readonly previous_block_hash: Uint8Array
  readonly block_hash: Uint8Array
  readonly merkle_root: Uint8Array
  /** JSON text. */
  readonly metadata: string
  readonly metadata_hash: Uint8Array
  /** 4 bytes. */
  readonly signing_key_id: Uint8Array
  readonly signature: Uint8Array
  readonly finalized_ms: number
}

export type SigningChainKey = Pick<ChainKey, 'keyId' | 'signed'>

/**
 * @param previous undefined for the first block only
 * @param signer the key that must have signed the block, according to the key events up to and including this block
 */
export function* auditChainBlock(
  block: ChainBlock,
  previous: ChainBlock | undefined,
  signer: SigningChainKey | undefined,
): Disagreements {
  const place: StoredPlace = { height: block.height }
  yield* link(place, block, previous)
  yield* contents(place, block, signer)
}

function* contents(
  place: StoredPlace,
  block: ChainBlock,
  signer: SigningChainKey | undefined,
): Disagreements {
  const { metadata, signature, block_hash } = block
  yield* holds(place, 'metadata', readCanonical(metadata) !== undefined, 'canonical JSON')
  yield* agree(place, 'metadata_hash', canonicalTextHash('block_metadata', metadata), block.metadata_hash)
  yield* agree(place, 'signing_key_id', signer?.keyId, toHex(block.signing_key_id))
  yield* agree(place, 'block_hash', hashOf(block), block_hash)
  if (signer !== undefined)
    yield* holds(
      place,
      'signature',
      signer.signed(block_hash, signature),
      `that of key ${signer.keyId} over the block hash`,
    )
  yield* holds(place, 'id', isUuid7(block.id), 'a UUIDv7')
}

function* link(place: StoredPlace, block: ChainBlock, previous: ChainBlock | undefined): Disagreements {
  if (previous === undefined) {
    yield* agree(
      place,
      'previous_block_hash',
      genesisPreviousHash(GENESIS_MESSAGE),
      block.previous_block_hash,
    )
    yield* agree(place, 'merkle_root', EMPTY_ROOT, block.merkle_root)
    return
  }
  yield* agree(place, 'previous_block_hash', previous.block_hash, block.previous_block_hash)
  yield* holds(
    place,
    'finalized_at',
    block.finalized_ms > previous.finalized_ms,
    'later than the block before',
  )
}

const hashOf = (block: ChainBlock): Uint8Array =>
  blockHash({
    id: block.id,
    previousBlockHash: block.previous_block_hash,
    merkleRoot: block.merkle_root,
    metadataHash: block.metadata_hash,
    keyId: block.signing_key_id,
  })
