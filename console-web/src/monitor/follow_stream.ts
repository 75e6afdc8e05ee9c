// Follows one stream: its events from now on, and at each connection the newest that the API has.
import type { Api } from '../data/api_client.ts'
import { ApiFailure, isTransient, messageOf } from '../data/api_failure.ts'
import type { LiveEvents, LiveStream } from '../data/live_events.ts'
import { retryDelay } from '../data/retry_schedule.ts'
import { type MonitorRow, sentRow } from './monitor_row.ts'
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
  const read = async (signal: AbortSignal, attempt: number): Promise<void> => {
    try {
      const newest = await readNewest(api, stream, signal)
      if (signal.aborted) return
      unread(null)
      rows(newest)
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
      void read(connection.signal, 1)
    },
    closed: () => connection.abort(),
    heard: (event, body) => {
      const row = sentRow(stream, event, body)
      if (row !== null) rows([row])
    },
  })
  return () => {
    unfollow()
    connection.abort()
    unread(null)
  }
}
