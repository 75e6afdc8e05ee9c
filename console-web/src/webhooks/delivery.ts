// A delivery as the list and the stream give it, and the further fields that the page of one delivery
// requests.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { ApiFailure } from '../data/api_failure.ts'
import { isJsonObject, numberAt, objectAt, textAt } from '../data/json_object.ts'
import { readDocument, readPage } from '../data/resource.ts'

export const STATUSES = ['pending', 'success', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof STATUSES)[number]

export type Delivery = {
  readonly id: string
  readonly endpointId: string
  readonly eventType: string
  readonly resourceType: string
  readonly resourceId: string
  /** The `webhook-id`: the same for all attempts and all redeliveries. */
  readonly messageId: string
  readonly status: DeliveryStatus
  readonly httpStatus: number | null
  readonly error: string | null
  readonly attempts: number
  readonly durationMs: number | null
  readonly nextAttemptAt: string | null
  readonly firstAttemptAt: string | null
  readonly lastAttemptAt: string | null
  readonly completedAt: string | null
  readonly insertedAt: string
  readonly updatedAt: string
}

export type Attempt = {
  readonly number: number
  readonly at: string
  /** All addresses that the host resolved to. */
  readonly resolved: readonly string[]
  /** The address that was used. Null when nothing was sent. */
  readonly address: string | null
  readonly httpStatus: number | null
  readonly error: string | null
  readonly durationMs: number | null
}

export type DeliveryDetail = Delivery & {
  readonly payload: unknown
  readonly responseBody: string | null
  readonly attemptLog: readonly Attempt[]
}

/** The status in words: what was tried and is tried again is apart from what still waits for its first attempt. */
export const shownStatus = ({ status, attempts }: Delivery): DeliveryStatus | 'retrying' =>
  status === 'pending' && attempts > 0 ? 'retrying' : status

/**
 * Of two reports about one delivery. The number of attempts decides first, because it never decreases while the clock may
 * be the same in two steps.
 */
export const isLater = (a: Delivery, b: Delivery): boolean => {
  if (a.attempts !== b.attempts) return a.attempts > b.attempts
  if (a.updatedAt !== b.updatedAt) return a.updatedAt > b.updatedAt
  return a.status !== 'pending' && b.status === 'pending'
}

export const DELIVERIES_PATH = '/api/json/webhook-deliveries'

const ON_REQUEST = ['payload', 'response_body', 'attempt_log'] as const
const BY_DEFAULT =
  'endpoint_id,event_type,resource_type,resource_id,message_id,status,http_status,error,attempts,duration_ms,' +
  'next_attempt_at,first_attempt_at,last_attempt_at,completed_at,inserted_at,updated_at'

/**
 * Names every field, because payload, answer and log are sent only when named, and naming one field leaves
 * out all others.
 */
export const deliveryPath = (id: string): string =>
  `${DELIVERIES_PATH}/${encodeURIComponent(id)}?fields[webhook_delivery]=${BY_DEFAULT},${ON_REQUEST.join()}`

export const readDeliveryPage = readPage(({ id, attributes }) => believed({ ...attributes, id }))

/**
 * From `{result: {id, …}}`, the answer to testing and redelivering.
 * @throws ApiFailure
 */
export const readDeliveryResult = (answer: JsonValue): Delivery => believed(objectAt(answer, 'result'))

/** @throws ApiFailure */
export const readDeliveryDocument = (document: JsonValue): DeliveryDetail => {
  const { id, attributes } = readDocument(document)
  const log: unknown = attributes.attempt_log
  return {
    ...believed({ ...attributes, id }),
    payload: attributes.payload ?? null,
    responseBody: textAt(attributes, 'response_body'),
    attemptLog: (Array.isArray(log) ? log : []).map(readAttempt),
  }
}

/** Null when it is not a delivery that this page can read. */
export const readDelivery = (value: unknown): Delivery | null => {
  const id = textAt(value, 'id')
  const status = STATUSES.find((one) => one === textAt(value, 'status'))
  const insertedAt = textAt(value, 'inserted_at')
  if (id === null || status === undefined || insertedAt === null) return null
  return {
    id,
    endpointId: textAt(value, 'endpoint_id') ?? '',
    eventType: textAt(value, 'event_type') ?? '',
    resourceType: textAt(value, 'resource_type') ?? '',
    resourceId: textAt(value, 'resource_id') ?? '',
    messageId: textAt(value, 'message_id') ?? '',
    status,
    httpStatus: numberAt(value, 'http_status'),
    error: textAt(value, 'error'),
    attempts: numberAt(value, 'attempts') ?? 0,
    durationMs: numberAt(value, 'duration_ms'),
    nextAttemptAt: textAt(value, 'next_attempt_at'),
    firstAttemptAt: textAt(value, 'first_attempt_at'),
    lastAttemptAt: textAt(value, 'last_attempt_at'),
    completedAt: textAt(value, 'completed_at'),
    insertedAt,
    updatedAt: textAt(value, 'updated_at') ?? insertedAt,
  }
}

const believed = (value: unknown): Delivery => {
  const delivery = readDelivery(value)
  if (delivery === null)
    throw new ApiFailure('unreadable', 'The server sent a delivery that this page cannot read.')
  return delivery
}

const readAttempt = (entry: unknown): Attempt => {
  const resolved = isJsonObject(entry) ? entry.resolved_addresses : []
  return {
    number: numberAt(entry, 'number') ?? 0,
    at: textAt(entry, 'at') ?? '',
    resolved: (Array.isArray(resolved) ? resolved : []).filter((one) => typeof one === 'string'),
    address: textAt(entry, 'address'),
    httpStatus: numberAt(entry, 'http_status'),
    error: textAt(entry, 'error'),
    durationMs: numberAt(entry, 'duration_ms'),
  }
}
