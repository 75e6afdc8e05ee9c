// What this server does by the clock and the queue, started in order and handed back in order.
import { pruneIdempotencyKeys } from './domain/accounts/idempotency.ts'
import { pruneFacts } from './domain/ledger/facts.ts'
import { type FinalizeOutcome, finalizeBlock } from './domain/ledger/finalize_block.ts'
import { redactExpired } from './domain/ledger/redact_expired.ts'
import type { Signer } from './domain/ledger/signer.ts'
import { readStanding } from './domain/ledger/standing.ts'
import { pruneBudgets } from './domain/limits/prune_budgets.ts'
import { startBlockClock } from './jobs/block_clock.ts'
import { startFinalizeJobs } from './jobs/finalize_block.ts'
import { startChores } from './jobs/keep_house.ts'
import { startQueue, stopQueue } from './jobs/queue.ts'
import type { Log } from './kernel/log.ts'
import type { Store } from './store/open_store.ts'

export interface ClockworkOptions {
  readonly store: Store
  readonly signer: Signer
  /** A session-pinned address: the queue listens for notices on it. */
  readonly queueUrl: string
  readonly blockIntervalMs: number
  readonly log: Log
}

/** Jobs under way when the server stops have so long to finish; then they are handed back. */
const HAND_BACK_MS = 3_000

const FACTS_KEPT_HOURS = 24

export async function startClockwork(
  options: ClockworkOptions,
): Promise<{ readonly close: () => Promise<void> }> {
  const { store, signer, queueUrl, blockIntervalMs, log } = options
  const finalize = async (after: string): Promise<FinalizeOutcome> => {
    const began = performance.now()
    const outcome = await finalizeBlock({ em: store.em(), signer }, { intervalMs: blockIntervalMs, after })
    if (outcome.outcome === 'finalized')
      log.info({ ...outcome, duration_ms: Math.round(performance.now() - began) }, 'block.finalized')
    return outcome
  }
  const queue = await startQueue({ url: queueUrl, log })
  const finalizeJobs = await startFinalizeJobs(queue, finalize)
  await startChores(queue, [
    {
      queue: 'redact_expired',
      cron: '* * * * *',
      piece: (limit) => redactExpired({ em: store.em() }, limit),
    },
    { queue: 'prune_budgets', cron: '* * * * *', piece: (limit) => pruneBudgets({ em: store.em() }, limit) },
    {
      queue: 'prune_facts',
      cron: '17 * * * *',
      piece: (limit) => pruneFacts({ em: store.em() }, FACTS_KEPT_HOURS, limit),
    },
    {
      queue: 'prune_idempotency_keys',
      cron: '47 * * * *',
      piece: (limit) => pruneIdempotencyKeys({ em: store.em() }, limit),
    },
  ])
  const blockClock = startBlockClock({
    intervalMs: blockIntervalMs,
    readStanding: () => readStanding({ em: store.em() }),
    order: finalizeJobs.order,
    finalize,
    onError: (err) => log.warn({ err }, 'block_clock.failed'),
  })
  return {
    close: async () => {
      await blockClock.close()
      await stopQueue(queue, HAND_BACK_MS)
    },
  }
}
