// Rows as JSON, for people and for files.
import type { MonitorRow } from './monitor_row.ts'

/** Rows in one file. Such a file has about 6 MB. */
export const MOST_EXPORTED = 10_000

/** The server sends at most 16 KiB. */
const LONGEST_PAYLOAD = 65_536

const shape = ({ kind, at, data }: MonitorRow) => ({ event: kind, at: new Date(at).toISOString(), data })

export const rowJson = (row: MonitorRow): string => `${JSON.stringify(shape(row), null, 2)}\n`

/** A list with one row on each line, in the order given. */
export const rowsJson = (rows: readonly MonitorRow[]): string =>
  `[\n${rows.map((row) => JSON.stringify(shape(row))).join(',\n')}\n]\n`

export const payloadText = ({ data }: MonitorRow): string => {
  const text = JSON.stringify(data, null, 2)
  return text.length > LONGEST_PAYLOAD ? `${text.slice(0, LONGEST_PAYLOAD)}\n…` : text
}
