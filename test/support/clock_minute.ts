// Budgets that are whole again on the minute of the clock: when to begin what must lie in one.
import { eventually } from './http.ts'

/** The clock of a server is behind by the time of the quickest answer of its database. */
const BEGUN_S = 2
/** What begins before this ends in time, though the machine stands still for a few seconds. */
const ENDING_S = 52

/** Resolves when every server has begun the minute, and it lasts for a while. */
export const amidMinute = (): Promise<true> =>
  eventually(() => {
    const second = (Date.now() / 1_000) % 60
    return second >= BEGUN_S && second < ENDING_S ? true : undefined
  })
