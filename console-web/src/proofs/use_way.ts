// The way of something to its proof, live: its block, the chains that carry that block, and when the next are due.
import { type BlockView, useBlock } from '../blocks/block.ts'
import { useHead } from '../chain/chain_context.ts'
import { epochsPath, nextEpochs, readEpochs } from '../commitments/epoch.ts'
import type { ProofStage } from '../commitments/proof_stage.ts'
import { countdown } from '../connection/countdown.ts'
import { useStreamPulse } from '../data/stream/use_stream_pulse.ts'
import { type Loaded, useDocument } from '../data/use_document.ts'
import { useInterval, useOutside } from '../outside/readiness.ts'
import type { Way } from './way.ts'

type OnItsWay = Pick<Way, 'stage'> &
  Partial<Pick<Way, 'handedInAt' | 'of'>> & { readonly blockId: string | null }

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
  const view = carried.kind === 'found' ? carried.value : null
  const next = epochs.kind === 'found' ? nextEpochs(epochs.value)[0] : undefined
  return {
    of,
    stage,
    handedInAt,
    block: { id: blockId, height: view?.block.height ?? null, at: view?.block.timestamp ?? null },
    commitments: carried.kind === 'found' ? { kind: 'found', value: carried.value.commitments } : carried,
    usual: next ?? outside?.chains[0],
    blockDueAt: useBlockDueAt(),
    chainDueAt: next?.dueAt ?? null,
  }
}

/** The block of something, and the commitments of that block. `stage` is a reason to read it again. */
export const useCarried = (blockId: string | null, stage: ProofStage): Loaded<BlockView> => {
  const pulse = useStreamPulse('commitments', null)
  return useBlock(blockId, `${pulse} ${stage}`)
}

const useBlockDueAt = (): number | null => {
  const head = useHead()
  const { interval } = useInterval()
  if (head === null) return null
  const headAt = Date.parse(head.timestamp)
  return countdown(headAt, interval, headAt).dueAt
}
