// The list of beacons in memory, newest first: insert, limit, link and summarise. Pure functions, tested
// without a browser.
import type { Beacon } from '../../../shared/wire/console_stream.ts'
import { mergeRows } from '../data/newest_first.ts'

export type BeaconList = {
  /** Strictly descending by id, no id twice. The text order of UUIDv7 is the order of time. */
  readonly rows: readonly Beacon[]
  /** Ids for which the server sent two different beacons. A correct server never does that. */
  readonly conflicts: ReadonlySet<string>
}

/** A day has 1,440 beacons, so 5,000 rows are three and a half days, in about 2 MB. */
export const MAX_ROWS = 5_000
export const emptyList: BeaconList = { rows: [], conflicts: new Set() }

/**
 * `incoming` may be in any order, with repetitions and overlaps. The first beacon seen under an id is kept.
 */
export const insertBeacons = (list: BeaconList, incoming: readonly Beacon[]): BeaconList => {
  const rows = mergeRows(list.rows, incoming, FIRST_STAYS)
  const kept = new Map(rows.map((row) => [row.id, row]))
  const others = incoming.filter((beacon) => !sameBeacon(kept.get(beacon.id) ?? beacon, beacon))
  if (rows === list.rows && others.length === 0) return list
  const conflicts = new Set([...list.conflicts, ...others.map(({ id }) => id)])
  return { rows: rows.slice(0, MAX_ROWS), conflicts }
}

const FIRST_STAYS = { fits: () => true, isLater: () => false, floor: null, held: false }

/**
 * `open`: the predecessor is not in the list, so the link cannot be checked. `genesis`: the first block of
 * the chain.
 */
export type ChainLink = 'holds' | 'broken' | 'open' | 'genesis'

export const linkOf = (rows: readonly Beacon[], index: number, genesisPrevious: string): ChainLink => {
  const row = rows[index]
  const older = rows[index + 1]
  if (row === undefined) return 'open'
  if (older !== undefined) return row.previous_hash === older.hash ? 'holds' : 'broken'
  return row.previous_hash === genesisPrevious ? 'genesis' : 'open'
}

/** Rows to look for a block whose height is known. */
const NEAR = 65

/** Counted from the next older block whose height is known, as long as every link up to there holds. */
export const heightAt = (
  rows: readonly Beacon[],
  index: number,
  known: (id: string) => number | undefined,
): number | null => {
  for (const [below, row] of rows.slice(index, index + NEAR).entries()) {
    const height = known(row.id)
    if (height !== undefined) return height + below
    if (row.previous_hash !== rows[index + below + 1]?.hash) return null
  }
  return null
}

/**
 * `proven`: linked, and the block hash was recomputed here. `linked`: the block hash is not recomputed yet.
 */
export type RowState = 'proven' | 'linked' | 'open' | 'broken'

export const rowState = (link: ChainLink, conflict: boolean, recomputed: boolean | undefined): RowState => {
  if (conflict || link === 'broken' || recomputed === false) return 'broken'
  if (link === 'open') return 'open'
  return recomputed === true ? 'proven' : 'linked'
}

type Break = { readonly beacon: Beacon; readonly why: 'link' | 'hash' | 'conflict' }
export type ChainProof = ReturnType<typeof chainProof>

export const chainProof = (
  { rows, conflicts }: BeaconList,
  recomputed: (id: string) => boolean | undefined,
) => {
  const breaks = rows.flatMap((beacon, index): Break[] => {
    const older = rows[index + 1]
    const whys = [
      conflicts.has(beacon.id) ? 'conflict' : recomputed(beacon.id) === false && 'hash',
      older !== undefined && older.hash !== beacon.previous_hash && 'link',
    ] as const
    return whys.flatMap((why) => (why === false ? [] : { beacon, why }))
  })
  const [first] = breaks
  // The beacon above a broken link belongs to the run; one that is broken itself does not.
  const end = first && rows.indexOf(first.beacon) + (first.why === 'link' ? 1 : 0)
  const run = rows.slice(0, end)
  return {
    /** Length of the unbroken run that ends with the newest beacon, and the time of its oldest beacon. */
    unbroken: run.length,
    since: run.at(-1)?.timestamp ?? null,
    /** How many beacons of that run have a recomputed block hash. */
    recomputed: run.filter(({ id }) => recomputed(id)).length,
    /** Newest first, at most ten: even one break is a serious fault. */
    breaks: breaks.slice(0, 10),
  }
}

const sameBeacon = (a: Beacon, b: Beacon): boolean =>
  a.hash === b.hash && a.previous_hash === b.previous_hash && a.timestamp === b.timestamp
