// How long to wait before the next attempt: exponential, with a maximum. Half of it is random, so that the
// clients of a restarted server do not return all at once.
import { ApiFailure } from './api_failure.ts'

const FIRST_WAIT_MS = 1_000
export const LONGEST_WAIT_MS = 30_000
/** While somebody looks at the page, it is connected again within 5 s of the server's return. */
export const LONGEST_WAIT_IN_SIGHT_MS = 4_000

/**
 * `attempt` counts failures in a row from 1; `random` is in [0, 1). The wait is never shorter than the
 * server's Retry-After.
 */
export const retryDelay = (
  attempt: number,
  random: number,
  retryAfterMs = 0,
  longestMs = LONGEST_WAIT_MS,
): number => {
  const full = Math.min(longestMs, FIRST_WAIT_MS * 2 ** Math.min(Math.max(0, attempt - 1), 16))
  const jittered = full / 2 + (full / 2) * random
  return Math.round(retryAfterMs > 0 ? retryAfterMs + jittered / 4 : jittered)
}

/** The wait after so many failures in a row, of which this is the last. */
export const waitAfter = (failures: number, last: unknown, random = Math.random()): number =>
  retryDelay(failures, random, last instanceof ApiFailure ? last.retryAfterMs : 0)

/** Reads Retry-After: whole seconds or an HTTP date. */
export const retryAfterMs = (header: string | null, now: number): number => {
  if (header === null) return 0
  if (/^\d+$/.test(header)) return Number(header) * 1_000
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now)
}

/** Lets the page draw, even when there is no time to wait. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, Math.max(0, ms))
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
