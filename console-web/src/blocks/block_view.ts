// A block's document with its included resources: its neighbours and its commitments.

import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { readCommitments } from '../commitments/commitment.ts'
import { blockStage } from '../commitments/proof_stage.ts'
import { includedOf } from '../data/resource.ts'
import { called, numberOrNull, shape, text } from '../data/shape.ts'
import { useDocument } from '../data/use_document.ts'
import { beaconOf, readBlockDocument } from './block.ts'

export type BlockView = ReturnType<typeof readBlockView>

export const blockPath = (id: string): string =>
  `/api/json/blocks/${encodeURIComponent(id)}?include=previous,next,commitments.epoch`

/** Asked for again at intervals until a public chain carries the block, and when `pulse` changes, unless it is settled. */
export const useBlock = (
  id: string | null,
  pulse?: string | null,
  isSettled?: (view: BlockView) => boolean,
) => useDocument(id === null ? null : blockPath(id), { read: readBlockView, pulse, isSettled, freshMs })

const freshMs = ({ block }: BlockView): number | null => (blockStage(block.state) === 'ready' ? null : 10_000)

const readNeighbour = shape({ id: text, height: numberOrNull, hash: called('block_hash', text) })

export const readBlockView = (document: JsonValue) => {
  const block = readBlockDocument(document)
  const neighbours = includedOf(document, 'block', readNeighbour)
  const previous = neighbours.find(({ height }) => height === block.height - 1)
  const next = neighbours.find(({ height }) => height === block.height + 1)
  return {
    block,
    /** Its four public fields. */
    beacon: beaconOf(block),
    /** Hash of the previous block. Null for the genesis block, which has none. */
    previousHash: previous?.hash ?? null,
    previousId: previous?.id ?? null,
    nextId: next?.id ?? null,
    commitments: readCommitments(document),
  }
}
