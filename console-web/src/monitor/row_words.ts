// What a row says: what happened in words, one line about it, the hash or id to know it by, and the row as JSON.
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { streams } from '../../../shared/wire/console_stream.ts'
import { numberAt, objectAt, textAt } from '../data/shape.ts'
import { isStream } from '../data/stream/live_events.ts'
import { count, plural, utcClock } from '../ui/format.ts'
import { isBurst, MISSED, type MonitorRow, OUTAGE } from './monitor_row.ts'
import { type MonitorStream, STREAMS } from './monitor_streams.ts'

/** The name is such as "Item handed in". */
export const rowWords = (row: MonitorRow) => {
  const { kind, stream, data } = row
  if (stream !== 'connection' && isBurst(row))
    return { name: `${streams[stream].title}, many`, line: burstLine(data), code: null }
  const { events, line } = stream === 'connection' ? CONNECTION : STREAMS[stream]
  return { name: events[kind]?.[0] ?? kind, line: line(row), code: codeOf(data) }
}

const CONNECTION: Pick<MonitorStream, 'events' | 'line'> = {
  events: { [OUTAGE]: ['Offline', null], [MISSED]: ['Missed', null] },
  line: ({ kind, data }) => (kind === OUTAGE ? outageLine(data) : missedLine(data)),
}

/** Such as "Offline 14:02:10 to 14:05:31, 3 blocks caught up", or "Offline at 14:02:10 for 0.4 s, no block missed". */
const outageLine = (data: JsonObject): string => {
  const from = textAt(data, 'from') ?? ''
  const to = textAt(data, 'to') ?? ''
  const beacons = numberAt(data, 'beacons') ?? 0
  const caught = beacons === 0 ? 'no block missed' : `${plural(beacons, 'block')} caught up`
  const ms = Date.parse(to) - Date.parse(from)
  return ms < 1_000
    ? `Offline at ${utcClock(from)} for ${(ms / 1_000).toFixed(1)} s, ${caught}`
    : `Offline ${utcClock(from)} to ${utcClock(to)}, ${caught}`
}

/** Such as "Items: more than the 1,008 above came while offline; those of 14:02:10 to 14:03:05 are not listed here". */
const missedLine = (data: JsonObject): string => {
  const stream = textAt(data, 'stream') ?? ''
  const times = [textAt(data, 'from') ?? '', textAt(data, 'to') ?? ''].map(utcClock)
  const read = count(numberAt(data, 'read') ?? 0)
  return `${isStream(stream) ? streams[stream].title : ''}: more than the ${read} above came while offline; those of ${times.join(' to ')} are not listed here`
}

const burstLine = (data: JsonObject): string => {
  const windowMs = numberAt(data, 'window_ms') ?? 0
  const total = plural(numberAt(data, 'count') ?? 0, 'event')
  return `${total} in ${(windowMs / 1_000).toFixed(1)} s: ${burstKinds(data)
    .map(([kind, number]) => `${count(number)} ${kind}`)
    .join(', ')}`
}

/** The kinds of a burst, the most frequent first. */
export const burstKinds = (data: JsonObject): readonly (readonly [string, number])[] => {
  const byKind = objectAt(data, 'by_kind') ?? {}
  return Object.keys(byKind)
    .map((kind) => [kind, numberAt(byKind, kind) ?? 0] as const)
    .sort(([, a], [, b]) => b - a)
}

/** A block is known by the hash that its beacon has, and a chain that was replaced by the beacon that was lost. */
const HASHES = 'block_hash hash item_hash entropy_hash transaction_hash epoch_root lost id'.split(' ')

const codeOf = (data: JsonObject): string | null =>
  HASHES.map((name) => textAt(data, name)).find((text) => text !== null) ?? null

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

/** The server sends at most 16 KiB. */
const LONGEST_PAYLOAD = 65_536

export const payloadText = ({ data }: MonitorRow): string => {
  const text = JSON.stringify(data, null, 2)
  return text.length > LONGEST_PAYLOAD ? `${text.slice(0, LONGEST_PAYLOAD)}\n…` : text
}

const shape = ({ kind, at, data }: MonitorRow) => ({ event: kind, at: new Date(at).toISOString(), data })

export const rowJson = (row: MonitorRow): string => `${JSON.stringify(shape(row), null, 2)}\n`

/** A list with one row on each line, in the order given. */
export const rowsJson = (rows: readonly MonitorRow[]): string =>
  `[\n${rows.map((row) => JSON.stringify(shape(row))).join(',\n')}\n]\n`
