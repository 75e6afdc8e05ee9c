// The beacons the page holds, newest first: insert, bound, link and sum up. Pure, so that it can be tested without a browser.
import type { Beacon } from '../../../shared/wire/console_stream.ts'

export type BeaconList = {
  /** Strictly descending by id (UUIDv7: text order is time order), no id twice. */
  readonly rows: readonly Beacon[]
  /** Ids for which two different beacons were shown to us: no honest server does that. */
  readonly conflicts: ReadonlySet<string>
  /** Rows were dropped at the older end, so paging on from the last known link would leave a hole. */
  readonly trimmed: boolean
}

/** A day is 1,440 rows; five thousand keep three and a half days in about 2 MB. */
export const MAX_ROWS = 5_000
export const emptyList: BeaconList = { rows: [], conflicts: new Set(), trimmed: false }

/** Order, repetition and overlap of `incoming` do not matter; the first beacon seen under an id stays. */
export const insertBeacons = (
  list: BeaconList,
  incoming: readonly Beacon[],
  limit: number = MAX_ROWS,
): BeaconList => {
  const held = new Map(list.rows.map((row) => [row.id, row]))
  const conflicts = new Set(list.conflicts)
  const fresh: Beacon[] = []
  for (const beacon of incoming) {
    const known = held.get(beacon.id)
    if (known === undefined) {
      held.set(beacon.id, beacon)
      fresh.push(beacon)
    } else if (!sameBeacon(known, beacon)) conflicts.add(beacon.id)
  }
  if (fresh.length === 0 && conflicts.size === list.conflicts.size) return list
  const rows = [...list.rows, ...fresh].sort(newestFirst)
  return { rows: rows.slice(0, limit), conflicts, trimmed: list.trimmed || rows.length > limit }
}

/** `open`: the predecessor is not held, so nothing can be said. `genesis`: the chain begins here. */
export type ChainLink = 'holds' | 'broken' | 'open' | 'genesis'

export const linkOf = (rows: readonly Beacon[], index: number, genesisPrevious: string): ChainLink => {
  const row = rows[index]
  const older = rows[index + 1]
  if (row === undefined) return 'open'
  if (older !== undefined) return row.previous_hash === older.hash ? 'holds' : 'broken'
  return row.previous_hash === genesisPrevious ? 'genesis' : 'open'
}

/** `proven`: linked, and the block hash was recomputed here. `linked`: recomputation still to come. */
export type RowState = 'proven' | 'linked' | 'open' | 'broken'

export const rowState = (link: ChainLink, conflict: boolean, recomputed: boolean | undefined): RowState => {
  if (conflict || link === 'broken' || recomputed === false) return 'broken'
  if (link === 'open') return 'open'
  return recomputed === true ? 'proven' : 'linked'
}

export type Break = { readonly beacon: Beacon; readonly why: 'link' | 'hash' | 'conflict' }
export type ChainProof = {
  /** Length of the unbroken run that ends in the newest beacon, and the time of its oldest. */
  readonly unbroken: number
  readonly since: string | null
  /** How many of that run had their block hash recomputed. */
  readonly recomputed: number
  /** Newest first, at most ten: one is already too many. */
  readonly breaks: readonly Break[]
}

export const chainProof = (list: BeaconList, recomputed: (id: string) => boolean | undefined): ChainProof => {
  const breaks: Break[] = []
  let run = 0
  let counted = 0
  let since: string | null = null
  for (const [index, beacon] of list.rows.entries()) {
    const older = list.rows[index + 1]
    const verdict = recomputed(beacon.id)
    const why = list.conflicts.has(beacon.id) ? 'conflict' : verdict === false ? 'hash' : null
    if (why !== null && breaks.length < 10) breaks.push({ beacon, why })
    if (breaks.length === 0) {
      run += 1
      if (verdict === true) counted += 1
      since = beacon.timestamp
    }
    if (older !== undefined && beacon.previous_hash !== older.hash && breaks.length < 10)
      breaks.push({ beacon, why: 'link' })
  }
  return { unbroken: run, since, recomputed: counted, breaks }
}

/** How many rows are newer than the one named: what a paused list is holding back. */
export const newerThan = (rows: readonly Beacon[], id: string): number => {
  const index = rows.findIndex((row) => row.id <= id)
  return index === -1 ? rows.length : index
}

const newestFirst = (a: Beacon, b: Beacon): number => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

const sameBeacon = (a: Beacon, b: Beacon): boolean =>
  a.hash === b.hash && a.previous_hash === b.previous_hash && a.timestamp === b.timestamp
