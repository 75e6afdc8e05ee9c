// Sends the events of one stream to one connection: up to 200 a second one by one, and the others as a sum.
import {
  type BurstEvent,
  connectionLimits,
  type EventOfStream,
  type StreamEvent,
} from '../../../shared/wire/console_stream.ts'

export interface SlidingWindow {
  /** Counts one more event when there is room and returns true; otherwise returns false. */
  readonly take: (now: number) => boolean
  /** Returns the milliseconds until there is room again. */
  readonly wait: (now: number) => number
}

/**
 * Allows at most `count` events in any span of `windowMs`. It is exact, so no double amount passes at a window
 * boundary.
 * Call with `now` from any clock in milliseconds that never goes back. It stores at most `count` numbers.
 */
export function slidingWindow(count: number, windowMs: number): SlidingWindow {
  const taken: number[] = []
  let oldest = 0
  const wait = (now: number): number =>
    taken.length < count ? 0 : Math.max(0, (taken[oldest] ?? now) + windowMs - now)
  return Object.freeze({
    wait,
    take: (now: number) => {
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

interface OutletParts {
  readonly emit: (event: string, body: StreamEvent | BurstEvent) => void
  readonly burstName: string
  readonly burstMs: number
}

interface SentCounts {
  readonly events: number
  readonly summedUp: number
  readonly bursts: number
}

export interface StreamOutlet {
  /** @param kind an event of a row of `streams` in `shared/wire/console_stream.ts` */
  readonly send: (kind: EventOfStream, body: StreamEvent) => void
  /** Adds `count` events to the sum that cannot be sent one by one. `newest` is the newest event that is known. */
  readonly sumUp: (kind: EventOfStream, count: number, newest: StreamEvent) => void
  /** Sends the current sum at once. */
  readonly flush: () => void
  /** Drops the current sum. */
  readonly close: () => void
  readonly sent: () => SentCounts
}

interface Sum {
  readonly since: number
  readonly timer: NodeJS.Timeout
  readonly firstAt: string
  readonly byKind: Record<string, number>
  count: number
  latest: BurstEvent['latest']
}

export function streamOutlet({ emit, burstName, burstMs }: OutletParts): StreamOutlet {
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

  const sumUp = (kind: string, count: number, { at, data }: StreamEvent): void => {
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
    send: (kind: string, body: StreamEvent) => {
      // While a sum is open, every event goes into it. An event sent separately would arrive before older ones.
      if (sum !== undefined || !window.take(performance.now())) return sumUp(kind, 1, body)
      sent.events += 1
      emit(kind, body)
    },
    sumUp,
    flush,
    close: () => {
      clearTimeout(sum?.timer)
      sum = undefined
    },
    sent: () => sent,
  })
}
