// The way of something to its proof, live: its block, the chains that carry that block, and when the next are due.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { useChain } from '../chain/chain_context.ts'
import { type Commitment, readCommitments } from '../commitments/commitment.ts'
import { epochsPath, nextEpochs, readEpochs } from '../commitments/epoch.ts'
import type { ProofStage } from '../commitments/proof_stage.ts'
import { countdown, learnInterval } from '../connection/countdown.ts'
import { numberOrNull, readDocument, textOrNull } from '../data/resource.ts'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import { type Loaded, useDocument } from '../data/use_document.ts'
import { useStore } from '../data/use_store.ts'
import { READY_PATH, readOutside } from '../outside/readiness.ts'
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
  const outside = useDocument(READY_PATH, { read: readOutside })
  const { height, at, commitments } = carried.kind === 'found' ? carried.value : NOTHING
  const next = epochs.kind === 'found' ? nextEpochs(epochs.value)[0] : undefined
  const usual = next ?? (outside.kind === 'found' ? outside.value.chains[0] : undefined)
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
  const { list, intervalMs } = useStore(useChain().feed.state)
  const head = list.rows[0]
  if (head === undefined) return null
  const headAt = Date.parse(head.timestamp)
  return countdown(headAt, learnInterval(intervalMs, list.rows), headAt).dueAt
}

export type Carried = {
  readonly height: number | null
  readonly at: string | null
  readonly commitments: readonly Commitment[]
}

const NOTHING: Carried = { height: null, at: null, commitments: [] }

const readCarried = (document: JsonValue): Carried => {
  const block = readDocument(document)
  return {
    height: numberOrNull(block, 'height'),
    at: textOrNull(block, 'finalized_at'),
    commitments: readCommitments(document),
  }
}

/** Whether nothing here is committed to a chain that counts outside, as far as it is known. */
export const useIsTrial = (): boolean => {
  const outside = useDocument(READY_PATH, { read: readOutside })
  const chains = outside.kind === 'found' ? outside.value.chains : []
  return chains.length > 0 && chains.every(({ development }) => development)
}
