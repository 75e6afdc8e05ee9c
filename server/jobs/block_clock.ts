// Watches the boundaries and the head: orders a block when one is due, and makes it itself when nobody has.
import { repeat } from '../kernel/repeat.ts'

export interface Standing {
  readonly nowMs: number
  readonly head: { readonly id: string; readonly timeMs: number }
}

export interface BlockClockOptions {
  readonly intervalMs: number
  readonly readStanding: () => Promise<Standing>
  /** Orders the block from the queue; absent when the queue does not take part. */
  readonly order: ((headId: string) => Promise<void>) | undefined
  /** Makes the block here and now, on top of this head. */
  readonly finalize: (headId: string) => Promise<unknown>
  readonly onError: (error: unknown) => void
}

/** Milliseconds. A boundary is asked for just after it, so that the database's clock has passed it too. */
const MARGIN_MS = 5
const WATCH_EVERY_MS = 2_000
const OVERDUE_MS = 3_000
const RETRY_MS = 1_000
/** Below this interval a queue adds nothing: each server tries at the boundary itself. */
export const SHORTEST_QUEUED_INTERVAL_MS = 5_000

/**
 * Two loops. The boundary loop takes its time from the database, so servers with skewed clocks agree on it. The watch
 * counts on this process's own monotonic clock how long the head has stood still, so it also works while the
 * database's clock runs behind the head. Both are harmless when somebody else was faster: they name the head they saw.
 */
export function startBlockClock(options: BlockClockOptions): { readonly close: () => Promise<void> } {
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
  return {
    close: async () => {
      await Promise.all([boundaries.stop(), watch.stop()])
    },
  }
}
