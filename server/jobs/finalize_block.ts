// The queue job that makes a block. Every server orders it at the boundary, and one server runs it.
import type { PgBoss } from 'pg-boss'
import type { FinalizeOutcome } from '../domain/ledger/finalize_block.ts'

const QUEUE = 'finalize_block'

/** After this time the queue gives up a job and accepts a new order. Finalization is safe to run twice. */
const EXPIRY_SECONDS = 30

interface FinalizeJobs {
  /** Orders a block on top of this head. Many orders for one boundary make one job. */
  readonly order: (headId: string) => Promise<void>
}

export async function startFinalizeJobs(
  queue: PgBoss,
  finalize: (after: string) => Promise<FinalizeOutcome>,
): Promise<FinalizeJobs> {
  await queue.createQueue(QUEUE, {
    policy: 'exclusive',
    expireInSeconds: EXPIRY_SECONDS,
    retryLimit: 0,
    retentionSeconds: 300,
    deleteAfterSeconds: 600,
    notify: true,
  })
  await queue.work<{ after: string }>(
    QUEUE,
    { pollingIntervalSeconds: 1, notifyPollingIntervalSeconds: 2 },
    async (jobs) => {
      for (const { data } of jobs) await finalize(data.after)
    },
  )
  return { order: async (headId) => void (await queue.send(QUEUE, { after: headId })) }
}
