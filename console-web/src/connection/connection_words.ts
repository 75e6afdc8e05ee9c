// The facts of the connection in words.
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { numberAt } from '../data/shape.ts'
import type { Break } from '../data/stream/connection_log.ts'
import { count, duration, fileSize, plural } from '../ui/format.ts'

export const transportWords = (transport: string | null): string => {
  if (transport === 'websocket') return 'WebSocket'
  if (transport === 'polling') return 'Long polling, because a WebSocket did not get through'
  return transport ?? 'None: not connected'
}

export const roundTripWords = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`

/** `offsetMs` is the server's clock minus the local one. Less than half a second is the way of the message. */
export const skewWords = (offsetMs: number): string => {
  const seconds = Math.abs(offsetMs) / 1_000
  if (seconds < 0.5) return 'This computer’s clock agrees with it.'
  const by = seconds < 10 ? `${seconds.toFixed(1)} s` : duration(seconds * 1_000)
  return `This computer’s clock is ${by} ${offsetMs > 0 ? 'behind' : 'ahead'}. The console shows the server’s time.`
}

export const breakWords = ({ from, until, why, failures }: Break, now: number): string => {
  const tries = failures === 0 ? '' : `, ${plural(failures, 'more attempt')}`
  return until === null
    ? `${why} Away for ${duration(now - from)} so far${tries}.`
    : `${why} Away for ${duration(until - from)}${tries}.`
}

/** The ceilings of the welcome that this page has words for. */
export const limitLines = (limits: JsonObject | null) =>
  LIMITS.flatMap(([name, title, wordsOf]) => {
    const limit = numberAt(limits, name)
    return limit === null ? [] : [{ name: title, words: wordsOf(limit, limits) }]
  })

type WordsOf = (limit: number, limits: JsonObject | null) => string

const LIMITS: readonly (readonly [string, string, WordsOf])[] = [
  [
    'commands',
    'Commands',
    (limit, limits) => `${count(limit)} in ${duration(numberAt(limits, 'commands_window_ms') ?? 10_000)}`,
  ],
  [
    'events_per_second',
    'Events',
    (limit) => `${count(limit)} a second of one stream; more are summed up. Beacons always come one by one`,
  ],
  ['payload_bytes', 'One event', (limit) => `${fileSize(limit)} at most`],
  ['frame_bytes', 'One message to the server', (limit) => `${fileSize(limit)} at most`],
  [
    'unsent_bytes',
    'Waiting for this browser',
    (limit) => `${fileSize(limit)}, then the server ends the connection`,
  ],
]
