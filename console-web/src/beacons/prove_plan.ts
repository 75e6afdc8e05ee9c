// Which block request proves the most rows next. Pages of 250 blocks use far fewer requests than one per row.
import type { Beacon } from '../../../shared/wire/console_stream.ts'

/** A page of blocks that was read. The page at `path` has the blocks older than `lowestId`. */
export type Cursor = { readonly lowestId: string; readonly path: string }
export type Plan =
  | { readonly kind: 'one'; readonly wanted: string }
  | { readonly kind: 'page'; readonly path: string; readonly wanted: string }

const LARGEST_PAGE = 250
const pageOf = (size: number): string => `/api/json/blocks?page[limit]=${size}`
/** Up to this many missing blocks are requested one by one. */
const FEW = 2

/**
 * Proves the newest unproven row first. Continues at the known cursor that is closest above the wanted row;
 * without one, starts at the head. Null when every row has its block or is known to have none.
 */
export const provePlan = (
  rows: readonly Beacon[],
  settled: (id: string) => boolean,
  cursors: readonly Cursor[],
): Plan | null => {
  const missing = rows.filter((row) => !settled(row.id))
  const wanted = missing[0]?.id
  if (wanted === undefined) return null
  if (missing.length <= FEW) return { kind: 'one', wanted }
  const above = cursors.filter((cursor) => cursor.lowestId > wanted)
  const closest = above.reduce<Cursor | null>(
    (best, cursor) => (best === null || cursor.lowestId < best.lowestId ? cursor : best),
    null,
  )
  if (closest !== null) return { kind: 'page', path: closest.path, wanted }
  // No more blocks than are missing from the head on.
  const last = rows.findLastIndex((row, index) => index < LARGEST_PAGE && !settled(row.id))
  const size = missing.length > LARGEST_PAGE || last === -1 ? LARGEST_PAGE : last + 1
  return { kind: 'page', path: pageOf(size), wanted }
}

/** The same page with as many rows as a page may have. */
export const widest = (path: string): string =>
  path.replace(/(page(?:\[|%5B)limit(?:\]|%5D)=)\d+/i, `$1${LARGEST_PAGE}`)

/**
 * Milliseconds to wait so that any minute has at most `most` requests. `times` are the earlier requests,
 * oldest first.
 */
export const budgetWait = (times: readonly number[], now: number, most: number): number => {
  const first = times[times.length - most]
  return first === undefined ? 0 : Math.max(0, first + 60_000 - now)
}
