// The full block of a beacon, from GET /api/json/blocks: the parts of the block hash, and the document as
// received.
import { isHex } from '../../../shared/proof/bytes.ts'
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

const textThat =
  (isSound: (text: string) => boolean): Field<string> =>
  (value) => {
    const read = text(value)
    if (!isSound(read)) throw unreadable('a block')
    return read
  }

const hex = (bytes: number) => textThat((digits) => isHex(digits, bytes))

export type Block = ReturnType<typeof readBlock>

/** @throws ApiFailure */
export const readBlock = shape({
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
  finalizedAt: textThat((time) => !Number.isNaN(Date.parse(time))),
  committedAt: textOrNull,
  /** The resource object as received, for display in the drawer. */
  raw: object,
})

export const readBlockDocument = documentOf(readBlock)
export const readBlockPage = pageOf(readBlock)

/** The four public fields of a block. */
export const beaconOf = ({ id, hash, finalizedAt, previousHash }: Block): Beacon => ({
  id,
  hash,
  timestamp: finalizedAt,
  previous_hash: previousHash,
})
