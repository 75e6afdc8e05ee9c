// Watches the boundaries and the head: orders a block when one is due, and makes it itself when nobody has.

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
  let closed = false
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  const later = (work: () => Promise<number>, ms: number): void => {
    if (closed) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      const run = work()
        .catch((error: unknown) => {
          onError(error)
          return Math.min(RETRY_MS, intervalMs)
        })
        .then((next) => {
          running.delete(run)
          later(work, next)
        })
      running.add(run)
    }, ms)
    timers.add(timer)
  }

  const atBoundary = async (): Promise<number> => {
    const { nowMs, head } = await readStanding()
    if (slotOf(head.timeMs) !== slotOf(nowMs)) await (order ?? finalize)(head.id)
    return intervalMs - (nowMs % intervalMs) + MARGIN_MS
  }

  let seen = { id: '', at: 0 }
  const watch = async (): Promise<number> => {
    const { nowMs, head } = await readStanding()
    if (head.id !== seen.id) seen = { id: head.id, at: performance.now() }
    const stoodFor = Math.max(performance.now() - seen.at, nowMs - head.timeMs)
    if (stoodFor > intervalMs + OVERDUE_MS) await finalize(head.id)
    return WATCH_EVERY_MS
  }

  const slotOf = (ms: number): number => Math.floor(ms / intervalMs)

  later(atBoundary, 0)
  if (order !== undefined) later(watch, WATCH_EVERY_MS)
  return {
    close: async () => {
      closed = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}
