// Events of an absence that were too many to read, as one row: which, how many at least, and between which times.
import type { LiveStream } from '../data/live_events.ts'
import { isStream, MISSED, type MonitorRow } from './monitor_row.ts'
import type { Newest } from './read_newest.ts'

type Missed = {
  /** The newest that came before the absence. */
  readonly last: MonitorRow
  readonly read: Newest
}

/** Stands below the rows that were read. */
export const missedRow = (stream: LiveStream, { last, read }: Missed): MonitorRow => {
  const at = read.rows.reduce((oldest, row) => Math.min(oldest, row.at), Number.POSITIVE_INFINITY)
  const to = Number.isFinite(at) ? at : last.at
  const data = {
    stream,
    read: read.count,
    from: new Date(Math.min(last.at, to)).toISOString(),
    to: new Date(to).toISOString(),
  }
  return { kind: MISSED, stream: 'connection', at: to, id: stream, data, origin: 'noticed' }
}

/** The page that lists what happened in one stream between two times. Lists of items and deliveries know minutes. */
export const pageOfTimes = ({ kind, stream, data }: MonitorRow): string | null => {
  const [from, to] = kind === MISSED ? [data.from, data.to] : [data.first_at, data.last_at]
  const name = kind === MISSED ? data.stream : stream
  if (typeof from !== 'string' || typeof to !== 'string' || typeof name !== 'string' || !isStream(name))
    return null
  const minutes = new URLSearchParams({ from: from.slice(0, 16), to: to.slice(0, 16) })
  if (name === 'items') return `/items?${minutes}`
  if (name === 'webhook_deliveries') return `/webhooks/deliveries?${minutes}`
  return `/chain?${new URLSearchParams({ from, to })}`
}
