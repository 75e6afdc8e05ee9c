// The range of time in the address of the chain's table, and what it is called.
import { pathWith } from '../data/list_filter.ts'
import { utc } from '../ui/format.ts'

/** Two times in ISO 8601; both belong to the range. */
export type TimeRange = { readonly from: string; readonly to: string }

/** Null when the address has none, or none that can be read. The earlier time comes first, whatever the order. */
export const rangeIn = (query: URLSearchParams): TimeRange | null => {
  const times = [query.get('from'), query.get('to')].map((text) => Date.parse(text ?? ''))
  return times.some(Number.isNaN) ? null : rangeOf(Math.min(...times), Math.max(...times))
}

export const rangeOf = (fromMs: number, toMs: number): TimeRange => ({
  from: new Date(Math.floor(fromMs)).toISOString(),
  to: new Date(Math.ceil(toMs)).toISOString(),
})

/** What the address of the chain's page says besides the beacon. */
type ChainPlace = {
  readonly range: TimeRange | null
  /** `head`, or the height of the block that a walk begins with. Null when there is no walk. */
  readonly walk: string | null
}

/** The address of the table, or of one beacon beside it. */
export const chainAddress = (hash: string | null, { range, walk }: ChainPlace): string =>
  pathWith(hash === null ? '/chain' : `/beacons/${hash}`, { ...range, walk })

/** Null when the address asks for no walk. */
export const walkIn = (query: URLSearchParams): string | null => {
  const walk = query.get('walk')
  return walk !== null && /^(head|\d{1,10})$/.test(walk) ? walk : null
}

/** Such as `2027-01-01 14:00:00 to 15:00:00 UTC`. The second day is named when it is another one. */
export const rangeWords = ({ from, to }: TimeRange): string => {
  const [first, last] = [utc(from), utc(to)]
  return `${first} to ${first.slice(0, 10) === last.slice(0, 10) ? last.slice(11) : last} UTC`
}
