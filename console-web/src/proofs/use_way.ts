// The way of something to its proof, live: its block, the chains that carry that block, and when the next are due.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { useChain } from '../chain/chain_context.ts'
import { type Commitment, readCommitments } from '../commitments/commitment.ts'
import { epochsPath, nextEpochs, readEpochs } from '../commitments/epoch.ts'
import type { ProofStage } from '../commitments/proof_stage.ts'
import { countdown } from '../connection/countdown.ts'
import { documentOf } from '../data/resource.ts'
import { called, numberOrNull, shape, textOrNull } from '../data/shape.ts'
import { useStore } from '../data/store.ts'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import { type Loaded, useDocument } from '../data/use_document.ts'
import { useOutside } from '../outside/readiness.ts'
import { useInterval } from '../outside/use_interval.ts'
import { chainName, chainStop, SOME_CHAIN, type Way } from './way.ts'

type OnItsWay = {
  readonly stage: Exclude<ProofStage, 'gone'>
  readonly blockId: string | null
  /** ISO 8601. */
  readonly handedInAt?: string | null
  readonly of?: Way['of']
}

const freshMs = (): number => 10_000
/** The last two of each chain are among so many. */
const FORECAST_FROM = 12

export const useWay = ({ stage, blockId, handedInAt = null, of = 'item' }: OnItsWay): Way => {
  const carried = useCarried(blockId, stage)
  const epochs = useDocument(stage === 'ready' ? null : epochsPath(FORECAST_FROM), {
    read: readEpochs,
    freshMs,
  })
  const outside = useOutside()
  const { height, at, commitments } = carried.kind === 'found' ? carried.value : NOTHING
  const next = epochs.kind === 'found' ? nextEpochs(epochs.value)[0] : undefined
  const usual = next ?? outside?.chains[0]
  return {
    of,
    stage,
    handedInAt,
    block: { id: blockId, height, at },
    chain:
      stage === 'ready' && carried.kind !== 'found'
        ? { kind: carried.kind === 'loading' ? 'reading' : 'unreadable' }
        : chainStop(commitments, stage, usual === undefined ? SOME_CHAIN : chainName(usual)),
    blockDueAt: useBlockDueAt(),
    chainDueAt: next?.dueAt ?? null,
  }
}

/** The block of something, and the commitments of that block. `stage` is a reason to read it again. */
export const useCarried = (blockId: string | null, stage: ProofStage): Loaded<Carried> => {
  const pulse = useStreamPulse('commitments', null)
  const path = blockId === null ? null : `/api/json/blocks/${blockId}?include=commitments`
  return useDocument(path, { read: readCarried, freshMs, pulse: `${pulse} ${stage}` })
}

const useBlockDueAt = (): number | null => {
  const head = useStore(useChain().feed.state).list.rows[0]
  const { interval } = useInterval()
  if (head === undefined) return null
  const headAt = Date.parse(head.timestamp)
  return countdown(headAt, interval, headAt).dueAt
}

const readBlock = documentOf(shape({ height: numberOrNull, at: called('finalized_at', textOrNull) }))

export type Carried = ReturnType<typeof readBlock> & { readonly commitments: readonly Commitment[] }

const NOTHING: Carried = { height: null, at: null, commitments: [] }

const readCarried = (document: JsonValue): Carried => ({
  ...readBlock(document),
  commitments: readCommitments(document),
})
