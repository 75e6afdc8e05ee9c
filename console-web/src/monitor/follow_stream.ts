// Follows one stream: its events from now on, and at each connection what the API has that is newer than what came.
import type { Api } from '../data/api_client.ts'
import { ApiFailure, isTransient, messageOf } from '../data/api_failure.ts'
import { objectAt, textAt } from '../data/json_object.ts'
import type { LiveEvents, LiveStream } from '../data/live_events.ts'
import { retryDelay } from '../data/retry_schedule.ts'
import { missedRow } from './missed.ts'
import { type MonitorRow, sentRow, subjectOf } from './monitor_row.ts'
import { readNewest } from './read_newest.ts'

export type FollowPorts = { readonly api: Api; readonly live: Pick<LiveEvents, 'follow'> }

export type Heard = {
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
  const read = async (signal: AbortSignal, attempt: number): Promise<void> => {
    try {
      const since = last
      const found = await readNewest(api, stream, { known: since && idOf(since), signal })
      if (signal.aborted) return
      isWhole = true
      unread(null)
      take(found.rows)
      if (since !== null && !found.complete) rows([missedRow(stream, { last: since, read: found })])
    } catch (error) {
      if (signal.aborted) return
      unread(messageOf(error))
      if (!isTransient(error)) return
      const asked = error instanceof ApiFailure ? error.retryAfterMs : 0
      const wait = retryDelay(attempt, Math.random(), asked)
      const timer = setTimeout(() => void read(signal, attempt + 1), wait)
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    }
  }
  const unfollow = live.follow(stream, {
    opened: () => {
      connection.abort()
      connection = new AbortController()
      if (isWhole) last = newest
      isWhole = false
      void read(connection.signal, 1)
    },
    closed: () => connection.abort(),
    heard: (event, body) => {
      const row = sentRow(stream, event, body)
      if (row !== null) take([row])
    },
  })
  return () => {
    unfollow()
    connection.abort()
    unread(null)
  }
}

/** Ids grow with time. A burst has the id of the newest that it sums up. */
const idOf = (row: MonitorRow): string =>
  subjectOf(row) ?? textAt(objectAt(objectAt(row.data, 'latest'), 'data'), 'id') ?? ''
