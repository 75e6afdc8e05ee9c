// Follows one stream: its events from now on, and at each connection what the API has that is newer than what came.
import { isTransient, messageOf } from '../data/api_failure.ts'
import { pageOf, widest } from '../data/resource.ts'
import { pause, waitAfter } from '../data/retry_schedule.ts'
import { object, objectAt, shape, text, textAt } from '../data/shape.ts'
import type { FollowPorts, LiveStream } from '../data/stream/live_events.ts'
import { MISSED, type MonitorRow, subjectOf } from './monitor_row.ts'
import { readRows, STREAMS, sentRow } from './monitor_streams.ts'

type Heard = {
  readonly rows: (rows: readonly MonitorRow[]) => void
  /** Why the newest rows could not be read. Null when they were. */
  readonly unread: (why: string | null) => void
}

/** The returned function ends it. */
export const followStream = (
  { api, live }: FollowPorts,
  stream: LiveStream,
  { rows, unread }: Heard,
): (() => void) => {
  let connection = new AbortController()
  let newest: MonitorRow | null = null
  /** The newest of the last connection whose read has succeeded. Nothing is missing before it. */
  let last: MonitorRow | null = null
  let isWhole = false
  const take = (came: readonly MonitorRow[]): void => {
    for (const row of came) if (newest === null || idOf(row) > idOf(newest)) newest = row
    rows(came)
  }
  const read = async (since: MonitorRow | null, signal: AbortSignal): Promise<void> => {
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        const found = await readNewest(api, stream, since, signal)
        if (signal.aborted) return
        isWhole = true
        unread(null)
        return take(found)
      } catch (error) {
        if (signal.aborted) return
        unread(messageOf(error))
        if (!isTransient(error)) return
        await pause(waitAfter(attempt, error), signal)
      }
    }
  }
  const unfollow = live.follow(stream, {
    opened: () => {
      connection.abort()
      connection = new AbortController()
      if (isWhole) last = newest
      isWhole = false
      void read(last, connection.signal)
    },
    closed: () => connection.abort(),
    heard: (event, body) => {
      const row = sentRow(stream, event, body)
      if (row !== null) take([row])
    },
  })
  // The rows that stand first wait for no stream. What happens until it is open is read once more then.
  if (stream === 'blocks') void read(null, connection.signal)
  return () => {
    unfollow()
    connection.abort()
    unread(null)
  }
}

/** Ids grow with time. A burst has the id of the newest that it sums up. */
const idOf = (row: MonitorRow): string =>
  subjectOf(row) ?? textAt(objectAt(objectAt(row.data, 'latest'), 'data'), 'id') ?? ''

/** At first, so that the list is not empty. */
const PAGE = 10
/** Pages after the first one, of the largest size, to look for the newest resource that is known. */
const MOST_PAGES = 4

const readBare = pageOf(shape({ id: text, raw: shape({ attributes: object }) }))

/**
 * One small page, and where something came before, more of them until the newest of that is reached. Below the last row
 * stands that there are more, when it is not reached.
 * @throws ApiFailure
 */
const readNewest = async (
  api: FollowPorts['api'],
  stream: LiveStream,
  since: MonitorRow | null,
  signal: AbortSignal,
): Promise<readonly MonitorRow[]> => {
  const { api: path, type, fields } = STREAMS[stream]
  const rows: MonitorRow[] = []
  let count = 0
  let next: string | null = `/api/json/${path}?page[limit]=${PAGE}&fields[${type}]=${fields}`
  for (let page = 0; next !== null && page <= MOST_PAGES; page += 1) {
    const read = readBare(await api.get(next, signal))
    rows.push(...read.rows.flatMap(({ id, raw }) => readRows(stream, { id, ...raw.attributes })))
    count += read.rows.length
    if (since === null || (read.rows.at(-1)?.id ?? '') <= idOf(since)) return rows
    next = read.next === null ? null : widest(read.next)
  }
  return since === null || next === null ? rows : [...rows, missedRow(stream, since, rows, count)]
}

/** There were too many to read after an absence. `count`: how many resources were read. */
const missedRow = (
  stream: LiveStream,
  since: MonitorRow,
  rows: readonly MonitorRow[],
  count: number,
): MonitorRow => {
  const to = Math.min(...(rows.length > 0 ? rows : [since]).map(({ at }) => at))
  const data = {
    stream,
    read: count,
    from: new Date(Math.min(since.at, to)).toISOString(),
    to: new Date(to).toISOString(),
  }
  return { kind: MISSED, stream: 'connection', at: to, id: stream, data, origin: 'noticed' }
}
