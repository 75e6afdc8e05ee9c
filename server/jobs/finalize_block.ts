// A block per boundary: every server orders it at the boundary, one of them makes it.
import type { PgBoss } from 'pg-boss'
import type { FinalizeOutcome } from '../domain/ledger/finalize_block.ts'

const QUEUE = 'finalize_block'

/** A job not done by then is handed to somebody else; finalization itself is safe to run twice. */
const EXPIRY_SECONDS = 30

export interface FinalizeJobs {
  /** Orders a block on top of this head. Any number of orders for one boundary make one job. */
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
