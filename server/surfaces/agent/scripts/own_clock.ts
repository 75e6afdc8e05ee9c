// Replaces the clock and the time zone of a script's thread: the engine asks this thread's Date for both.

/** Milliseconds since the start, counted by this thread. Whole ones, because a finer clock measures caches. */
const elapsedMs = (since: number): number => Math.floor(performance.now() - since)

/**
 * From now on Date.now() is the database's time, which goes on with the time that passes. The time zone is UTC, so
 * that nothing tells where the server stands.
 */
export function ownClock(startedAtMs: number): void {
  const since = performance.now()
  Date.now = () => startedAtMs + elapsedMs(since)
  const dates = Date.prototype
  dates.getTimezoneOffset = () => 0
  dates.getSeconds = dates.getUTCSeconds
  dates.getMinutes = dates.getUTCMinutes
  dates.getHours = dates.getUTCHours
  dates.getDate = dates.getUTCDate
  dates.getDay = dates.getUTCDay
  dates.getMonth = dates.getUTCMonth
  dates.getFullYear = dates.getUTCFullYear
}
