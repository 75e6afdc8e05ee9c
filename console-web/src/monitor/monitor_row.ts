// One row of the monitor: what happened and when, and the order in which rows stand.
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { BEACON_CREATED, CHAIN_REPLACED, type StreamName } from '../../../shared/wire/console_stream.ts'
import { textAt } from '../data/shape.ts'
import { BURST, streamOf } from '../data/stream/live_events.ts'

export type MonitorRow = {
  /** The name of the event as sent, such as `item.created` or `items.burst`, or `outage`. */
  readonly kind: string
  readonly stream: StreamName | 'connection'
  /** When it happened: milliseconds of the server's clock. */
  readonly at: number
  /** Tells rows of one kind and one time apart: the id of what the row is about. */
  readonly id: string
  readonly data: JsonObject
  /** Sent by the stream, read from the API afterwards, or noticed by this page. */
  readonly origin: 'sent' | 'read' | 'noticed'
}

export const OUTAGE = 'outage'
/** Events of an absence that were too many to read. */
export const MISSED = 'missed'

/** Of one millisecond, as they stand in the list: causes below what follows from them, and above all what is not here. */
const STEPS: readonly string[] = [
  'block.committed',
  'commitment.confirmed',
  'commitment.submitted',
  'item.committed',
  BEACON_CREATED,
  'block.finalized',
  'item.created',
  'entropy.created',
  MISSED,
  OUTAGE,
  CHAIN_REPLACED,
]

/** Negative when `a` is older. Zero only for the same row: the order does not depend on the order of arrival. */
export const compareRows = (a: MonitorRow, b: MonitorRow): number => {
  if (a.at !== b.at) return a.at - b.at
  if (a.kind !== b.kind) return STEPS.indexOf(b.kind) - STEPS.indexOf(a.kind) || (a.kind < b.kind ? -1 : 1)
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

export const isBurst = ({ kind }: MonitorRow): boolean => kind.endsWith(BURST)

/** The id of the resource that the row is about. */
export const subjectOf = ({ data }: MonitorRow): string | null => textAt(data, 'id')

/** For the address of the page: the row is found again by it, in whatever order rows have come. */
export const nameOfRow = ({ kind, id, at }: MonitorRow): string => `${kind}~${id}~${at}`

/** A row that stands where the named row stands. Null for what is not a name of a row. */
export const rowNamed = (name: string): MonitorRow | null => {
  const [kind = '', id = '', time = '', ...more] = name.split('~')
  const at = /^\d{1,16}$/.test(time) ? Number(time) : Number.NaN
  const stream = kind === OUTAGE || kind === MISSED ? 'connection' : streamOf.get(kind)
  if (stream === undefined || id === '' || Number.isNaN(at) || more.length > 0) return null
  return { kind, stream, at, id, data: { id: id.replace(/\.\d+$/, '') }, origin: 'noticed' }
}
