// The built-in receiver as the service tells it: whether there is one, its addresses, and what arrived.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { ApiFailure } from '../data/api_failure.ts'
import { isJsonObject, numberAt, objectAt, textAt } from '../data/json_object.ts'

export const RECEIVER_API = '/console/receiver'
export const RECEIVER_PAGE = '/webhooks/receiver'

export const ANSWERS = ['ok', 'error', 'slow', 'never'] as const
export type ReceiverAnswer = (typeof ANSWERS)[number]

export type ReceiverAddress = {
  readonly token: string
  readonly url: string
  readonly answers: ReceiverAnswer
  readonly expiresAt: string
  readonly requests: number
}

export type Receiver =
  | { readonly on: false; readonly reason: string }
  | {
      readonly on: true
      readonly most: number
      readonly keptRequests: number
      readonly keptHours: number
      readonly addresses: readonly ReceiverAddress[]
    }

export type Header = {
  readonly name: string
  /** Null when the service does not show it. */
  readonly value: string | null
}

export type Arrival = {
  readonly id: string
  readonly at: string
  readonly method: string
  readonly headers: readonly Header[]
  readonly body: string
  readonly bodyBytes: number
  /** The rest of a longer body is not kept. */
  readonly keptBytes: number
  readonly deliveryId: string | null
  readonly secret: string
  readonly answered: ReceiverAnswer
}

export type AddressContents = {
  readonly address: ReceiverAddress
  /** Newest first. */
  readonly arrivals: readonly Arrival[]
}

export const addressPath = (token: string): string => `${RECEIVER_API}/${encodeURIComponent(token)}`
export const addressPage = (token: string): string => `${RECEIVER_PAGE}?address=${encodeURIComponent(token)}`

/** @throws ApiFailure */
export const readReceiver = (answer: JsonValue): Receiver => {
  const on = isJsonObject(answer) ? answer.on : undefined
  if (on === false) return { on, reason: textAt(answer, 'reason') ?? '' }
  if (on !== true) throw unreadable()
  const limits = objectAt(answer, 'limits')
  return {
    on,
    most: numberAt(limits, 'addresses') ?? 0,
    keptRequests: numberAt(limits, 'requests') ?? 0,
    keptHours: numberAt(limits, 'hours') ?? 0,
    addresses: listAt(answer, 'addresses').map(readAddress),
  }
}

/** @throws ApiFailure */
export const readMade = (answer: JsonValue): ReceiverAddress => readAddress(objectAt(answer, 'address'))

/** @throws ApiFailure */
export const readContents = (answer: JsonValue): AddressContents => ({
  address: readMade(answer),
  arrivals: listAt(answer, 'requests').map(readArrival),
})

const readAddress = (value: unknown): ReceiverAddress => {
  const token = textAt(value, 'token')
  const url = textAt(value, 'url')
  if (token === null || url === null) throw unreadable()
  return {
    token,
    url,
    answers: answerAt(value, 'answers'),
    expiresAt: textAt(value, 'expires_at') ?? '',
    requests: numberAt(value, 'requests') ?? 0,
  }
}

const readArrival = (value: unknown): Arrival => {
  const id = textAt(value, 'id')
  const at = textAt(value, 'at')
  if (id === null || at === null) throw unreadable()
  return {
    id,
    at,
    method: textAt(value, 'method') ?? '',
    headers: listAt(value, 'headers').map((one) => ({
      name: textAt(one, 'name') ?? '',
      value: textAt(one, 'value'),
    })),
    body: textAt(value, 'body') ?? '',
    bodyBytes: numberAt(value, 'body_bytes') ?? 0,
    keptBytes: numberAt(value, 'body_kept_bytes') ?? 0,
    deliveryId: textAt(value, 'delivery_id'),
    secret: textAt(value, 'secret') ?? 'unknown',
    answered: answerAt(value, 'answered'),
  }
}

const answerAt = (value: unknown, name: string): ReceiverAnswer =>
  ANSWERS.find((one) => one === textAt(value, name)) ?? 'ok'

const listAt = (value: unknown, name: string): readonly unknown[] => {
  const list = isJsonObject(value) ? value[name] : undefined
  return Array.isArray(list) ? list : []
}

const unreadable = (): ApiFailure =>
  new ApiFailure('unreadable', 'The server sent something about the receiver that this page cannot read.')
