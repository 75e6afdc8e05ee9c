// The full block of a beacon, from GET /api/json/blocks: the parts of the block hash, and the document as
// received.
import { isHex } from '../../../shared/proof/bytes.ts'
import { uuid7Time } from '../../../shared/proof/ids.ts'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { unreadable } from '../data/api_failure.ts'
import { documentOf, pageOf } from '../data/resource.ts'
import {
  called,
  type Field,
  number,
  numberOrNull,
  object,
  or,
  shape,
  text,
  textOrNull,
} from '../data/shape.ts'

const hex =
  (bytes: number): Field<string> =>
  (value) => {
    const digits = text(value)
    if (!isHex(digits, bytes)) throw unreadable('a block')
    return digits
  }

const readMembers = shape({
  id: text,
  height: number,
  hash: called('block_hash', hex(32)),
  previousHash: called('previous_block_hash', hex(32)),
  merkleRoot: hex(32),
  metadata: object,
  metadataHash: hex(32),
  keyId: called('signing_key_id', hex(4)),
  state: or(textOrNull, 'finalized'),
  itemCount: numberOrNull,
  observationCount: or(numberOrNull, 0),
  finalizedAt: textOrNull,
  committedAt: textOrNull,
  /** The resource object as received, for display in the drawer. */
  raw: object,
})

export type Block = ReturnType<typeof readMembers> & {
  /** The time in the id, where the document does not carry it. */
  readonly finalizedAt: string
}

/** @throws ApiFailure */
export const readBlock = (members: unknown): Block => {
  const block = readMembers(members)
  const finalizedAt = block.finalizedAt ?? timeOf(block.id)
  if (Number.isNaN(Date.parse(finalizedAt))) throw unreadable('a block')
  return { ...block, finalizedAt }
}

export const readBlockDocument = documentOf(readBlock)
export const readBlockPage = pageOf(readBlock)

/** The four public fields of a block. */
export const beaconOf = ({ id, hash, finalizedAt, previousHash }: Block): Beacon => ({
  id,
  hash,
  timestamp: finalizedAt,
  previous_hash: previousHash,
})

/** Empty text for an id without a time. */
const timeOf = (id: string): string => {
  const ms = uuid7Time(id)
  return ms === undefined ? '' : new Date(ms).toISOString()
}
