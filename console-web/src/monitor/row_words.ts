// What a row says: one line, and the hash or id to know it by.
import { ENTROPY_WORDS, isEntropyName } from '../../../shared/proof/entropy_names.ts'
import { BEACON_CREATED, CHAIN_REPLACED, streams } from '../../../shared/wire/console_stream.ts'
import { type JsonObject, numberAt, objectAt, textAt } from '../data/json_object.ts'
import { count, plural } from '../ui/format_count.ts'
import { duration, utcClock } from '../ui/format_time.ts'
import { shownText } from '../ui/shown_text.tsx'
import { isBurst, isStream, MISSED, type MonitorRow, OUTAGE } from './monitor_row.ts'

export type RowWords = {
  /** The name of the event. */
  readonly name: string
  readonly line: string
  readonly code: string | null
}

/** Tags that stand in the line. The payload has all. */
const MOST_TAGS = 3

export const rowWords = (row: MonitorRow): RowWords => {
  if (row.kind === OUTAGE) return { name: 'offline', line: outageLine(row.data), code: null }
  if (row.kind === MISSED) return { name: row.kind, line: missedLine(row.data), code: null }
  if (row.kind === CHAIN_REPLACED)
    return {
      name: row.kind,
      line: 'The ledger no longer has a beacon that was shown here.',
      code: textAt(row.data, 'lost'),
    }
  if (isBurst(row)) return { name: row.kind, line: burstLine(row.data), code: null }
  return { name: row.kind, line: lineOf(row), code: codeOf(row) }
}

/** Such as "Offline 14:02:10 to 14:05:31, 3 beacons caught up", or "Offline at 14:02:10 for 0.4 s, no beacon missed". */
const outageLine = (data: JsonObject): string => {
  const from = textAt(data, 'from') ?? ''
  const to = textAt(data, 'to') ?? ''
  const beacons = numberAt(data, 'beacons') ?? 0
  const caught = beacons === 0 ? 'no beacon missed' : `${plural(beacons, 'beacon')} caught up`
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

const lineOf = ({ kind, stream, at, data }: MonitorRow): string => {
  switch (stream) {
    case 'beacons':
      return `after ${textAt(data, 'previous_hash')?.slice(0, 8) ?? ''}`
    case 'blocks': {
      const height = `#${count(numberAt(data, 'height') ?? 0)}`
      const since = at - Date.parse(textAt(data, 'finalized_at') ?? '')
      return kind === 'block.committed' && since >= 0
        ? `${height} · committed after ${duration(since)}`
        : `${height} · ${contentsOf(data)}`
    }
    case 'items':
      return [textAt(data, 'visibility'), ...tagsOf(data)].filter(Boolean).join(' · ')
    case 'entropy':
      return sourceOf(textAt(data, 'source') ?? '')
    case 'commitments':
      return [chainOf(data), shownText(textAt(data, 'error') ?? '')].filter(Boolean).join(' · ')
    case 'webhook_deliveries':
      return deliveryLine(data)
    case 'connection':
      return ''
    default:
      return stream satisfies never
  }
}

const contentsOf = (data: JsonObject): string => {
  const items = numberAt(data, 'item_count') ?? 0
  const observations = numberAt(data, 'observation_count') ?? 0
  if (items + observations === 0) return 'empty'
  return [items > 0 && plural(items, 'item'), observations > 0 && plural(observations, 'observation')]
    .filter(Boolean)
    .join(', ')
}

/** People choose tags, so what cannot be seen in them is shown by name. */
const tagsOf = ({ tags }: JsonObject): readonly string[] =>
  (Array.isArray(tags) ? tags : [])
    .filter((tag) => typeof tag === 'string')
    .slice(0, MOST_TAGS)
    .map(shownText)

const sourceOf = (source: string): string => (isEntropyName(source) ? ENTROPY_WORDS[source].title : source)

/** A chain inside the service itself proves nothing to outsiders, so it is named as what it is. */
const chainOf = (data: JsonObject): string => {
  const network = textAt(data, 'network') ?? ''
  const chain = `${textAt(data, 'chain') ?? ''} ${network}`
  return network === 'regtest' ? `${chain} (development chain)` : chain
}

const deliveryLine = (data: JsonObject): string => {
  const attempts = numberAt(data, 'attempts') ?? 0
  const status = textAt(data, 'status') ?? ''
  return [
    textAt(data, 'event_type'),
    status === 'pending' && attempts > 0 ? 'retrying' : status,
    numberAt(data, 'http_status'),
    attempts > 0 && plural(attempts, 'attempt'),
    shownText(textAt(data, 'error') ?? ''),
  ]
    .filter(Boolean)
    .join(' · ')
}

const codeOf = ({ kind, data }: MonitorRow): string | null => {
  const hash = ['block_hash', 'item_hash', 'entropy_hash', 'transaction_hash', 'epoch_root']
    .map((name) => textAt(data, name))
    .find((text) => text !== null)
  return (kind === BEACON_CREATED ? textAt(data, 'hash') : hash) ?? textAt(data, 'id')
}
