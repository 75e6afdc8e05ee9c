// What has to be tidied up now and then: each row is one queue, its cron words and the work.
import type { PgBoss } from 'pg-boss'

export interface Chore {
  readonly queue: string
  /** In UTC. The queue looks every half minute and may skip a beat, so nothing here hangs on the minute. */
  readonly cron: string
  /** Does a bounded piece and answers how much it did. */
  readonly piece: (limit: number) => Promise<number>
}

const PIECE = 1_000
const EXPIRY_SECONDS = 600

/** Any number of servers may start them: one works at a time, and what is left waits for the next turn. */
export async function startChores(queue: PgBoss, chores: readonly Chore[]): Promise<void> {
  for (const { queue: name, cron, piece } of chores) {
    await queue.createQueue(name, {
      policy: 'exclusive',
      retryLimit: 0,
      expireInSeconds: EXPIRY_SECONDS,
      deleteAfterSeconds: 3_600,
    })
    await queue.work(name, { pollingIntervalSeconds: 10 }, async () => {
      while ((await piece(PIECE)) === PIECE);
    })
    await queue.schedule(name, cron)
  }
}
