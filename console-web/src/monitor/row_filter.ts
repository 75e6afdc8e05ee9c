// Which rows are shown: the streams that are switched on, one kind of event, and a text that a field must contain.
import type { StreamName } from '../../../shared/wire/console_stream.ts'
import { type MonitorRow, streamOfKind } from './monitor_row.ts'

export type RowFilter = {
  /** Streams that are switched off. */
  readonly off: ReadonlySet<StreamName>
  /** The name of an event, or null for all. */
  readonly kind: string | null
  /** In lower case. Empty for any. */
  readonly text: string
}

export const NO_FILTER: RowFilter = { off: new Set(), kind: null, text: '' }
export const LONGEST_FILTER_TEXT = 200

/** The kind of a stream that is switched off would show nothing, so it is not kept. */
export const switched = (filter: RowFilter, off: ReadonlySet<StreamName>): RowFilter => {
  const stream = filter.kind === null ? null : streamOfKind(filter.kind)
  const isOff = stream !== null && stream !== 'connection' && off.has(stream)
  return { ...filter, off, kind: isOff ? null : filter.kind }
}

/** What a payload may nest. The server sends at most three levels. */
const DEEPEST = 6

export const passesAll = ({ off, kind, text }: RowFilter): boolean =>
  off.size === 0 && kind === null && text === ''

export const fits = ({ off, kind, text }: RowFilter, row: MonitorRow): boolean => {
  if (row.stream !== 'connection' && off.has(row.stream)) return false
  if (kind !== null && row.kind !== kind) return false
  return text === '' || row.kind.includes(text) || holds(row.data, text, 0)
}

/** Names of fields do not count, because every row of a kind has the same. */
const holds = (value: unknown, text: string, depth: number): boolean => {
  if (typeof value === 'string') return value.toLowerCase().includes(text)
  if (typeof value === 'number') return String(value).includes(text)
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false
  for (const member of Object.values(value)) if (holds(member, text, depth + 1)) return true
  return false
}
