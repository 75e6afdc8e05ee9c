// The full block of a beacon, from GET /api/json/blocks: the fields of the beacon, the parts of the block hash, and the
// document as received.
import { isHex } from '../../../shared/proof/bytes.ts'
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

const textThat =
  (isSound: (text: string) => boolean): Field<string> =>
  (value) => {
    const read = text(value)
    if (!isSound(read)) throw unreadable('a block')
    return read
  }

const hex = (bytes: number) => textThat((digits) => isHex(digits, bytes))
const instant = textThat((time) => !Number.isNaN(Date.parse(time)))

export type Block = ReturnType<typeof readBlock>

/** @throws ApiFailure */
export const readBlock = shape({
  id: text,
  height: number,
  hash: called('block_hash', hex(32)),
  /** Named as in a beacon, so that the block is one. */
  previous_hash: called('previous_block_hash', hex(32)),
  merkleRoot: hex(32),
  metadata: object,
  metadataHash: hex(32),
  keyId: called('signing_key_id', hex(4)),
  state: or(textOrNull, 'finalized'),
  itemCount: numberOrNull,
  observationCount: or(numberOrNull, 0),
  timestamp: called('finalized_at', instant),
  committedAt: textOrNull,
  /** The resource object as received, for display in the drawer. */
  raw: object,
})

export const readBlockDocument = documentOf(readBlock)
export const readBlockPage = pageOf(readBlock)
