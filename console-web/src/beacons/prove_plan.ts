// Which block request proves the most rows next. Pages of 250 blocks use far fewer requests than one per row.
import type { Beacon } from '../../../shared/wire/console_stream.ts'

/** A page of blocks that was read. The page at `path` has the blocks older than `lowestId`. */
export type Cursor = { readonly lowestId: string; readonly path: string }
export type Plan =
  | { readonly kind: 'one'; readonly id: string }
  | { readonly kind: 'page'; readonly path: string; readonly wanted: string }

export const FIRST_BLOCK_PAGE = '/api/json/blocks?page[limit]=250'
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
  if (missing.length <= FEW) return { kind: 'one', id: wanted }
  const above = cursors.filter((cursor) => cursor.lowestId > wanted)
  const closest = above.reduce<Cursor | null>(
    (best, cursor) => (best === null || cursor.lowestId < best.lowestId ? cursor : best),
    null,
  )
  return { kind: 'page', path: closest?.path ?? FIRST_BLOCK_PAGE, wanted }
}

/**
 * Milliseconds to wait so that any minute has at most `most` requests. `times` are the earlier requests,
 * oldest first.
 */
export const budgetWait = (times: readonly number[], now: number, most: number): number => {
  const first = times[times.length - most]
  return first === undefined ? 0 : Math.max(0, first + 60_000 - now)
}
