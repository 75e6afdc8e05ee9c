// The built-in receiver as the service tells it: whether there is one, its addresses, and what arrived.
import { unreadable } from '../data/api_failure.ts'
import { called, listOf, number, numberOrNull, oneOf, or, shape, text, textOrNull } from '../data/shape.ts'

export const RECEIVER_API = '/console/receiver'
export const RECEIVER_PAGE = '/webhooks/receiver'

export const ANSWERS = ['ok', 'error', 'slow', 'never'] as const
export type ReceiverAnswer = (typeof ANSWERS)[number]

const answer = or(oneOf(ANSWERS), 'ok')
const size = or(numberOrNull, 0)
const word = or(textOrNull, '')

const readAddress = shape({
  token: text,
  url: text,
  answers: answer,
  expiresAt: word,
  requests: size,
})
export type ReceiverAddress = ReturnType<typeof readAddress>

const readArrival = shape({
  id: text,
  at: text,
  method: word,
  /** The value is null when the service does not show it. */
  headers: listOf(shape({ name: word, value: textOrNull })),
  body: word,
  bodyBytes: size,
  /** The rest of a longer body is not kept. */
  keptBytes: called('body_kept_bytes', size),
  deliveryId: textOrNull,
  secret: or(textOrNull, 'unknown'),
  answered: answer,
})
export type Arrival = ReturnType<typeof readArrival>

const readSwitch = shape({ on: (on) => on })
const readOff = shape({ reason: word })
const readOn = shape({
  limits: shape({ addresses: number, requests: number, hours: number }),
  addresses: listOf(readAddress),
})

export const addressPath = (token: string): string => `${RECEIVER_API}/${encodeURIComponent(token)}`
export const addressPage = (token: string): string => `${RECEIVER_PAGE}?address=${encodeURIComponent(token)}`

/** @throws ApiFailure */
export const readReceiver = (value: unknown) => {
  const { on } = readSwitch(value)
  if (on === false) return { on: false as const, ...readOff(value) }
  if (on !== true) throw unreadable()
  return { on: true as const, ...readOn(value) }
}
export type Receiver = ReturnType<typeof readReceiver>

/** @throws ApiFailure */
export const readMade = (value: unknown): ReceiverAddress => shape({ address: readAddress })(value).address

/** The requests that arrived at an address, newest first. */
export const readContents = shape({
  address: readAddress,
  arrivals: called('requests', listOf(readArrival)),
})
