// Lets batches take turns among their submitters, on fewer connections than submissions have. So single items, and
// the first batch of another submitter, wait for a batch or two at most, however many batches one submitter sends.
import { fairGate } from '../../kernel/flow/fair_gate.ts'
import { refuse } from '../../kernel/refusal.ts'
import { GROUPS } from './submitter.ts'

export interface BatchTurns {
  /** Runs the work in its turn. @throws database_unavailable when too many wait, or the turn did not come in time */
  readonly run: <T>(submitterId: string, work: () => Promise<T>) => Promise<T>
}

/** One batch is prepared while another is written to disk. */
const LEAST_AT_ONCE = 2

/** Milliseconds that a batch waits for its turn at most. */
const PATIENCE_MS = 6_000

const WAITING = { ofSubmitter: 128, inAll: 1_024 } as const

/** @param connections those that submissions have in all */
export function openBatchTurns(connections: number): BatchTurns {
  const atOnce = Math.max(LEAST_AT_ONCE, connections - GROUPS.lanes)
  const held = () => refuse('database_unavailable', { detail: 'too many batches wait for the database' })
  const gate = fairGate({
    total: atOnce,
    perKey: atOnce,
    waitingPerKey: WAITING.ofSubmitter,
    waiting: WAITING.inAll,
    full: held,
    late: held,
  })
  return Object.freeze({
    run: async <T>(submitterId: string, work: () => Promise<T>): Promise<T> => {
      const leave = await gate.enter(submitterId, PATIENCE_MS)
      try {
        return await work()
      } finally {
        leave()
      }
    },
  })
}
