// A block from GET /api/json/blocks, which is the full block of a beacon: the fields of the beacon, the parts of the block
// hash, the document as received, and its included resources, which are its neighbours and its commitments.
import { isHex } from '../../../shared/proof/bytes.ts'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { readCommitments } from '../commitments/commitment.ts'
import { blockStage } from '../commitments/proof_stage.ts'
import { unreadable } from '../data/api_failure.ts'
import { pathWith } from '../data/list_filter.ts'
import { documentOf, includedOf, pageOf } from '../data/resource.ts'
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
import { useDocument } from '../data/use_document.ts'

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

export type BlockView = ReturnType<typeof readBlockView>

const blockPath = (id: string): string =>
  `/api/json/blocks/${encodeURIComponent(id)}?include=previous,next,commitments.epoch`

/** The first block of a list, with the one before it. */
export const firstBlockPath = (said: Readonly<Record<string, string>>): string =>
  pathWith('/api/json/blocks', { ...said, 'page[limit]': '1', include: 'previous' })

/** Asked for again at intervals until a public chain carries the block, and when `pulse` changes, unless it is settled. */
export const useBlock = (
  id: string | null,
  pulse?: string | null,
  isSettled?: (view: BlockView) => boolean,
) => useDocument(id === null ? null : blockPath(id), { read: readBlockView, pulse, isSettled, freshMs })

const freshMs = ({ block }: BlockView): number | null => (blockStage(block.state) === 'ready' ? null : 10_000)

const readBlockView = (document: JsonValue) => viewOf(readBlockDocument(document), document)

/** Null when the list has no block. */
export const readFirstBlock = (document: JsonValue): BlockView | null => {
  const [block] = readBlockPage(document).rows
  return block === undefined ? null : viewOf(block, document)
}

const viewOf = (block: Block, document: JsonValue) => {
  const neighbours = includedOf(document, 'block', readBlock)
  return {
    block,
    /** Null for the genesis block, which has none. */
    previous: neighbours.find(({ height }) => height === block.height - 1) ?? null,
    /** Null for the newest block, and where only the block before was asked for. */
    next: neighbours.find(({ height }) => height === block.height + 1) ?? null,
    commitments: readCommitments(document),
  }
}
