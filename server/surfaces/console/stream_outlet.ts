// Sends the events of one stream to one connection: up to 200 a second one by one, and the others as a sum.
import {
  type BurstEvent,
  connectionLimits,
  type EventOfStream,
  type StreamEvent,
} from '../../../shared/wire/console_stream.ts'

export type SlidingWindow = ReturnType<typeof slidingWindow>

/**
 * Allows at most `count` events in any span of `windowMs`. It is exact, so no double amount passes at a window
 * boundary.
 * Call with `now` from any clock in milliseconds that never goes back. It stores at most `count` numbers.
 */
export function slidingWindow(count: number, windowMs: number) {
  const taken: number[] = []
  let oldest = 0
  const wait = (now: number): number =>
    taken.length < count ? 0 : Math.max(0, (taken[oldest] ?? now) + windowMs - now)
  return Object.freeze({
    /** Returns the milliseconds until there is room again. */
    wait,
    /** Counts one more event when there is room and returns true; otherwise returns false. */
    take: (now: number): boolean => {
      if (taken.length < count) {
        taken.push(now)
        return true
      }
      if (wait(now) > 0) return false
      taken[oldest] = now
      oldest = (oldest + 1) % count
      return true
    },
  })
}

interface Sum {
  readonly since: number
  readonly timer: NodeJS.Timeout
  readonly firstAt: string
  readonly byKind: Record<string, number>
  count: number
  latest: BurstEvent['latest']
}

export type StreamOutlet = ReturnType<typeof streamOutlet>

export function streamOutlet({
  emit,
  burstName,
  burstMs,
}: {
  readonly emit: (event: string, body: StreamEvent | BurstEvent) => void
  readonly burstName: string
  readonly burstMs: number
}) {
  const window = slidingWindow(connectionLimits.events_per_second, 1_000)
  const sent = { events: 0, summedUp: 0, bursts: 0 }
  let sum: Sum | undefined

  const flush = (): void => {
    if (sum === undefined) return
    const { since, timer, count, firstAt, byKind, latest } = sum
    clearTimeout(timer)
    sum = undefined
    sent.bursts += 1
    const window_ms = Math.round(performance.now() - since)
    emit(burstName, { count, window_ms, first_at: firstAt, last_at: latest.at, by_kind: byKind, latest })
  }

  /** Adds `count` events to the sum that cannot be sent one by one. `at` and `data` are those of the newest known. */
  const sumUp = (kind: EventOfStream, count: number, { at, data }: StreamEvent): void => {
    sent.summedUp += count
    sum ??= {
      since: performance.now(),
      timer: setTimeout(flush, burstMs),
      firstAt: at,
      byKind: {},
      count: 0,
      latest: { kind, at, data },
    }
    sum.count += count
    sum.byKind[kind] = (sum.byKind[kind] ?? 0) + count
    sum.latest = { kind, at, data }
  }

  return Object.freeze({
    /** @param kind an event of a row of `streams` in `shared/wire/console_stream.ts` */
    send: (kind: EventOfStream, body: StreamEvent): void => {
      // While a sum is open, every event goes into it. An event sent separately would arrive before older ones.
      if (sum !== undefined || !window.take(performance.now())) sumUp(kind, 1, body)
      else {
        sent.events += 1
        emit(kind, body)
      }
    },
    sumUp,
    /** Sends the current sum at once. */
    flush,
    /** Drops the current sum. */
    close: () => {
      clearTimeout(sum?.timer)
      sum = undefined
    },
    sent: () => sent,
  })
}
