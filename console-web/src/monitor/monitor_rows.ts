// The rows of the monitor, newest first, and which of them are shown: each block and each item once, the streams that are
// switched on, and a text that a field must contain.
import { BEACON_CREATED, CHAIN_REPLACED, type StreamName } from '../../../shared/wire/console_stream.ts'
import { keep, kept } from '../data/kept/browser_storage.ts'
import { isStream } from '../data/stream/live_events.ts'
import { compareRows, type MonitorRow } from './monitor_row.ts'
import { rowWords } from './row_words.ts'

/** A row takes about 1 KB. */
export const MAX_ROWS = 10_000

/** Each row once, in whatever order and with whatever repetitions they come. */
export const withRows = (
  rows: readonly MonitorRow[],
  came: readonly MonitorRow[],
  most = MAX_ROWS,
): readonly MonitorRow[] => {
  // Sorting keeps the order of equals, so what was here before stays the same object.
  const all = [...rows, ...came].sort((a, b) => compareRows(b, a))
  return all
    .filter((row, index) => {
      const before = all[index - 1]
      return before === undefined || compareRows(before, row) !== 0
    })
    .slice(0, most)
}

/** The row that stands where the given one would stand. */
export const findRow = (rows: readonly MonitorRow[], row: MonitorRow): MonitorRow | null =>
  rows.find((one) => compareRows(one, row) === 0) ?? null

export type RowFilter = {
  /** Streams that are switched off. */
  readonly off: ReadonlySet<StreamName>
  /** Every event as it was sent, instead of each block and each item once. */
  readonly raw: boolean
  /** In upper or lower case. Empty for any. */
  readonly text: string
}

export const NO_FILTER: RowFilter = { off: new Set(), raw: false, text: '' }

/** What a payload may nest. The server sends at most three levels. */
const DEEPEST = 6

export const shownRows = (rows: readonly MonitorRow[], filter: RowFilter): readonly MonitorRow[] => {
  const lowered = { ...filter, text: filter.text.toLowerCase() }
  return (filter.raw ? rows : eachOnce(rows)).filter((row) => fits(lowered, row))
}

/** What follows, and the event whose row tells of it, too. */
const FOLLOWS: Readonly<Record<string, string>> = {
  'block.committed': 'block.finalized',
  'item.committed': 'item.created',
}

/**
 * A beacon is its block under another name, so the block's row stands for both. What a block does to its items, and a
 * commitment to its block, is said in their rows; it has a row of its own where theirs is older than the list.
 */
const eachOnce = (rows: readonly MonitorRow[]): readonly MonitorRow[] => {
  const here = new Set(rows.map(({ kind, id }) => `${kind} ${id}`))
  const toldBy = ({ kind, id }: MonitorRow): string | null => {
    const told = `${FOLLOWS[kind]} ${id}`
    return here.has(told) ? told : null
  }
  const newest = new Map<string, MonitorRow>()
  for (const row of rows) {
    const told = toldBy(row)
    if (told !== null && !newest.has(told)) newest.set(told, row)
  }
  return rows.flatMap((row) => {
    if (row.kind === BEACON_CREATED || toldBy(row) !== null) return []
    const later = newest.get(`${row.kind} ${row.id}`)
    return later === undefined ? row : { ...row, data: later.data }
  })
}

const fits = ({ off, text }: RowFilter, row: MonitorRow): boolean => {
  // What happened to the connection or to the whole chain belongs to no stream that could be switched off.
  const isApart = row.stream === 'connection' || row.kind === CHAIN_REPLACED
  if (!isApart && off.has(row.stream)) return false
  return (
    text === '' ||
    row.kind.includes(text) ||
    rowWords(row).name.toLowerCase().includes(text) ||
    holds(row.data, text, 0)
  )
}

/** Names of fields do not count, because every row of a kind has the same. */
const holds = (value: unknown, text: string, depth: number): boolean => {
  if (typeof value === 'string') return value.toLowerCase().includes(text)
  if (typeof value === 'number') return String(value).includes(text)
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false
  return Object.values(value).some((member) => holds(member, text, depth + 1))
}

const OFF = 'pharos.monitor.off'

/** The streams that this device has switched off. Everything is on at first. */
export const readOff = (): ReadonlySet<StreamName> =>
  new Set((kept('device', OFF) ?? '').split(' ').filter(isStream))

export const keepOff = (off: ReadonlySet<StreamName>): void => keep('device', OFF, [...off].join(' '))
