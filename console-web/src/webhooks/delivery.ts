// A delivery as the list and the stream give it, and the further fields that the page of one delivery
// requests.
import { unreadable } from '../data/api_failure.ts'
import { pathWith } from '../data/list_filter.ts'
import { collection, documentOf } from '../data/resource.ts'
import { called, listOf, numberOrNull, oneOf, or, shape, text, textOrNull, texts } from '../data/shape.ts'
import { capital, count, plural } from '../ui/format.ts'

export const STATUSES = ['pending', 'success', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof STATUSES)[number]

const status = (value: unknown): DeliveryStatus => {
  const known = oneOf(STATUSES)(value)
  if (known === null) throw unreadable()
  return known
}
const word = or(textOrNull, '')

const FIELDS = {
  id: text,
  endpointId: word,
  eventType: word,
  resourceType: word,
  resourceId: word,
  /** The `webhook-id`: the same for all attempts and all redeliveries. */
  messageId: word,
  status,
  httpStatus: numberOrNull,
  error: textOrNull,
  attempts: or(numberOrNull, 0),
  durationMs: numberOrNull,
  nextAttemptAt: textOrNull,
  firstAttemptAt: textOrNull,
  lastAttemptAt: textOrNull,
  completedAt: textOrNull,
  insertedAt: text,
  updatedAt: word,
} as const

/** @throws ApiFailure */
export const readDelivery = shape(FIELDS)
export type Delivery = ReturnType<typeof readDelivery>

const readAttempt = shape({
  number: or(numberOrNull, 0),
  at: word,
  /** All addresses that the host resolved to. */
  resolved: called('resolved_addresses', texts),
  /** The address that was used. Null when nothing was sent. */
  address: textOrNull,
  httpStatus: numberOrNull,
  error: textOrNull,
  durationMs: numberOrNull,
})
export type Attempt = ReturnType<typeof readAttempt>

const readDetail = shape({
  ...FIELDS,
  payload: (value: unknown): unknown => value ?? null,
  responseBody: textOrNull,
  attemptLog: listOf(readAttempt),
})
export type DeliveryDetail = ReturnType<typeof readDetail>

/** It waits for a reader, or was read: nothing is sent, so nothing is planned and nobody answers. */
export const isForReader = ({ status, httpStatus, nextAttemptAt }: Delivery): boolean =>
  status === 'success' ? httpStatus === null : status === 'pending' && nextAttemptAt === null

/** The status: what was tried and is tried again is apart from what still waits for its first attempt. */
export const shownStatus = ({ status, attempts }: Delivery): DeliveryStatus | 'retrying' =>
  status === 'pending' && attempts > 0 ? 'retrying' : status

/** As the lists tell it. */
export const statusWords = (delivery: Delivery): string => {
  if (!isForReader(delivery)) return shownStatus(delivery)
  return delivery.status === 'success' ? 'read' : 'not read yet'
}

export const TONES = {
  success: 'good',
  pending: 'busy',
  retrying: 'warn',
  failed: 'bad',
  cancelled: undefined,
} as const satisfies Readonly<Record<ReturnType<typeof shownStatus>, string | undefined>>

/**
 * Of two reports about one delivery. The number of attempts decides first, because it never decreases while the clock may
 * be the same in two steps.
 */
export const isLater = (a: Delivery, b: Delivery): boolean => {
  if (a.attempts !== b.attempts) return a.attempts > b.attempts
  if (a.updatedAt !== b.updatedAt) return a.updatedAt > b.updatedAt
  return a.status !== 'pending' && b.status === 'pending'
}

export const deliveries = collection('/api/json/webhook-deliveries', readDelivery)

const ALL_FIELDS =
  'endpoint_id,event_type,resource_type,resource_id,message_id,status,http_status,error,attempts,duration_ms,' +
  'next_attempt_at,first_attempt_at,last_attempt_at,completed_at,inserted_at,updated_at,payload,response_body,attempt_log'

/**
 * Names every field, because payload, answer and log are sent only when named, and naming one field leaves
 * out all others.
 */
export const deliveryPath = (id: string): string =>
  `${deliveries.at(id)}?fields[webhook_delivery]=${ALL_FIELDS}`

/** The bytes that are sent, as text. JSON:API shows the payload as an object, of which a signature is not. */
export const bodyPath = (id: string): string =>
  pathWith('/gql', {
    query: 'query ($id: ID!) { getWebhookDelivery(id: $id) { payload } }',
    variables: JSON.stringify({ id }),
  })

const readPayload = shape({
  data: shape({ getWebhookDelivery: called('getWebhookDelivery', shape({ payload: text })) }),
})

/** @throws ApiFailure */
export const readBody = (answer: unknown): string => readPayload(answer).data.getWebhookDelivery.payload

export const readDeliveryDocument = documentOf(readDetail)

/**
 * From `{result: {id, …}}`, the answer to testing and redelivering.
 * @throws ApiFailure
 */
export const readDeliveryResult = (answer: unknown): Delivery =>
  shape({ result: readDelivery })(answer).result

/** The outcome in a few words. */
export const outcomeWords = (delivery: Delivery): string => {
  const { status, httpStatus, error, attempts, durationMs } = delivery
  if (isForReader(delivery)) return status === 'success' ? 'Your program read it' : 'Waits for your program'
  const took = durationMs === null ? '' : ` in ${count(durationMs)} ms`
  switch (status) {
    case 'success':
      return `${httpStatus ?? 'Answered'}${took}${attempts > 1 ? `, at attempt ${attempts}` : ''}`
    case 'pending':
      return attempts === 0
        ? 'Waiting to be sent'
        : `${reasonOf(delivery)}, ${plural(attempts, 'attempt')} so far`
    case 'failed':
      return `${reasonOf(delivery)}, given up after ${plural(attempts, 'attempt')}`
    case 'cancelled':
      return capital(error ?? 'Not sent')
    default:
      return status satisfies never
  }
}

/** Why a delivery or an attempt has not got through, or what it was answered. */
export const reasonOf = ({ httpStatus, error }: Pick<Delivery, 'httpStatus' | 'error'>): string =>
  httpStatus === null ? capital(error ?? 'Did not get through') : `Answered ${httpStatus}`
