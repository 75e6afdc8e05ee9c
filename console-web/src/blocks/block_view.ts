// A block's document with its included resources: the previous block and the commitments.

import type { JsonValue } from '../../../shared/proof/json_value.ts'
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { type Commitment, readCommitments } from '../commitments/commitment.ts'
import { blockStage } from '../commitments/proof_stage.ts'
import { numberOrNull, readDocument, readIncluded, textOf, textOrNull } from '../data/resource.ts'
import { type Block, beaconOf, readBlockDocument } from './block.ts'

export type BlockView = {
  readonly block: Block
  /** Its four public fields. */
  readonly beacon: Beacon
  readonly observationCount: number
  readonly committedAt: string | null
  /** Hash of the previous block. Null for the genesis block, which has none. */
  readonly previousHash: string | null
  readonly previousId: string | null
  readonly nextId: string | null
  readonly commitments: readonly Commitment[]
}

export const blockPath = (id: string): string =>
  `/api/json/blocks/${encodeURIComponent(id)}?include=previous,next,commitments.epoch`

/** Asked for again at intervals until a public chain carries the block. */
export const blockFreshMs = ({ block }: BlockView): number | null =>
  blockStage(block.state) === 'ready' ? null : 10_000

export const readBlockView = (document: JsonValue): BlockView => {
  const block = readBlockDocument(document)
  const resource = readDocument(document)
  const neighbours = readIncluded(document, 'block')
  const previous = neighbours.find((one) => numberOrNull(one, 'height') === block.height - 1)
  const next = neighbours.find((one) => numberOrNull(one, 'height') === block.height + 1)
  return {
    block,
    beacon: beaconOf(block),
    observationCount: numberOrNull(resource, 'observation_count') ?? 0,
    committedAt: textOrNull(resource, 'committed_at'),
    previousHash: previous === undefined ? null : textOf(previous, 'block_hash'),
    previousId: previous?.id ?? null,
    nextId: next?.id ?? null,
    commitments: readCommitments(document),
  }
}
