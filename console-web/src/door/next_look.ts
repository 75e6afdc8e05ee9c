// When to look at the log again: soon after the next block is due, and neither often nor while nothing comes.
const SOONEST_MS = 5_000
const LATEST_MS = 60_000
/** For the block to be finalized and signed. */
const AFTER_DUE_MS = 1_500

/**
 * Milliseconds from `now`.
 * @param times of the newest blocks, the newest first
 */
export const nextLook = (times: readonly number[], now: number): number => {
  const gaps = times
    .slice(1)
    .map((time, at) => (times[at] ?? time) - time)
    .sort((a, b) => a - b)
  const gap = gaps[Math.floor(gaps.length / 2)]
  const [newest] = times
  if (gap === undefined || newest === undefined) return LATEST_MS / 2
  const due = newest + gap + AFTER_DUE_MS - now
  // Overdue: asks ever more seldom.
  return Math.min(LATEST_MS, Math.max(SOONEST_MS, due > 0 ? due : -due / 4))
}
