// How many items were submitted since the newest block, as far as the caller may know: counted when the page
// was opened, and by the stream from then on. Pure functions.

type Arrival = { readonly at: number; readonly items: number }

export type Submitted = {
  /** Oldest first, never more than a few. */
  readonly arrivals: readonly Arrival[]
}

export const nothingSubmitted: Submitted = { arrivals: [] }

/** Arrivals within this time are counted as one, so that a flood of items takes no memory. */
const TOGETHER_MS = 100
const MOST_ARRIVALS = 600

export const addSubmitted = ({ arrivals }: Submitted, at: number, items: number): Submitted => {
  if (items <= 0) return { arrivals }
  const last = arrivals.at(-1)
  if (last !== undefined && (Math.abs(at - last.at) < TOGETHER_MS || arrivals.length >= MOST_ARRIVALS))
    return {
      arrivals: [...arrivals.slice(0, -1), { at: Math.max(at, last.at), items: last.items + items }],
    }
  return { arrivals: [...arrivals, { at, items }] }
}

/** What a block that was finalized at `at` leaves for the next one. */
export const afterBlock = ({ arrivals }: Submitted, at: number): Submitted => ({
  arrivals: arrivals.filter((arrival) => arrival.at > at),
})

export const countSubmitted = ({ arrivals }: Submitted): number =>
  arrivals.reduce((sum, { items }) => sum + items, 0)

/** The number of items since `headAt`, in one row of the list's count. */
export const submittedPath = (headAt: number): string =>
  '/api/json/items?page[limit]=1&page[count]=true&fields[item]=' +
  `&filter[inserted_at][greater_than]=${encodeURIComponent(new Date(headAt).toISOString())}`
