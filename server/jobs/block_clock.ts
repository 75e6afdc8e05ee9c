// Orders a block at each boundary of a slot, and makes the block itself when no server has made it.
import type { PgBoss } from 'pg-boss'
import { repeat } from '../kernel/flow/repeat.ts'

interface Standing {
  readonly nowMs: number
  readonly head: { readonly id: string; readonly timeMs: number }
}

interface BlockClockOptions {
  readonly intervalMs: number
  readonly readStanding: () => Promise<Standing>
  /** Orders the block from the queue. Undefined when the queue is not used. */
  readonly order: ((headId: string) => Promise<void>) | undefined
  /** Makes the block in this process, on top of this head. */
  readonly finalize: (headId: string) => Promise<unknown>
  readonly onError: (error: unknown) => void
}

/** Milliseconds. The loop runs just after a boundary, so that the database's clock has passed it too. */
const MARGIN_MS = 5
const WATCH_EVERY_MS = 2_000
const OVERDUE_MS = 3_000
const RETRY_MS = 1_000
/** Milliseconds. Below this interval the queue is too slow, so each server makes the block at the boundary itself. */
const SHORTEST_QUEUED_INTERVAL_MS = 5_000

/**
 * Runs two loops. The boundary loop uses the database's time, so servers with different clocks agree. The watch loop
 * measures with this process's monotonic clock how long the head has not changed, so it also works while the
 * database's clock is behind the head. Both loops name the head that they saw, so they do nothing when another server
 * was faster.
 */
export function startBlockClock(options: BlockClockOptions): { readonly close: () => Promise<unknown> } {
  const { intervalMs, readStanding, finalize, onError } = options
  const order = intervalMs < SHORTEST_QUEUED_INTERVAL_MS ? undefined : options.order
  const retryMs = Math.min(RETRY_MS, intervalMs)
  const retry = { firstMs: retryMs, mostMs: retryMs }
  const slotOf = (ms: number): number => Math.floor(ms / intervalMs)

  const boundaries = repeat({
    firstMs: 0,
    everyMs: intervalMs,
    retry,
    onError,
    run: async () => {
      const { nowMs, head } = await readStanding()
      if (slotOf(head.timeMs) !== slotOf(nowMs)) await (order ?? finalize)(head.id)
      return intervalMs - (nowMs % intervalMs) + MARGIN_MS
    },
  })
  if (order === undefined) return { close: boundaries.stop }

  let seen = { id: '', at: 0 }
  const watch = repeat({
    everyMs: WATCH_EVERY_MS,
    retry,
    onError,
    run: async () => {
      const { nowMs, head } = await readStanding()
      if (head.id !== seen.id) seen = { id: head.id, at: performance.now() }
      const stoodFor = Math.max(performance.now() - seen.at, nowMs - head.timeMs)
      if (stoodFor > intervalMs + OVERDUE_MS) await finalize(head.id)
    },
  })
  return { close: () => Promise.all([boundaries.stop(), watch.stop()]) }
}

const QUEUE = 'finalize_block'

/** After this time the queue gives up a job and accepts a new order. Finalization is safe to run twice. */
const EXPIRY_SECONDS = 30

/** What it returns orders a block on top of a head. Many orders for one boundary make one job. */
export async function startFinalizeJobs(
  queue: PgBoss,
  finalize: BlockClockOptions['finalize'],
): Promise<(headId: string) => Promise<void>> {
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
  return async (headId) => void (await queue.send(QUEUE, { after: headId }))
}
