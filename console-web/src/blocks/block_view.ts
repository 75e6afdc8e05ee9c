// A block's document with its included resources: its neighbours and its commitments.

import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { readCommitments } from '../commitments/commitment.ts'
import { blockStage } from '../commitments/proof_stage.ts'
import { pathWith } from '../data/list_filter.ts'
import { includedOf } from '../data/resource.ts'
import { useDocument } from '../data/use_document.ts'
import { type Block, readBlock, readBlockDocument, readBlockPage } from './block.ts'

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
