// The request of an attempt, as it was sent: its headers, and the same as a command for a shell. Secrets have no value
// here, because the service never shows them. A reader of a pull endpoint gets the same headers and the same body.
import { curl } from '../data/curl.ts'
import type { DeliveryDetail } from './delivery.ts'
import type { Endpoint } from './endpoint.ts'

type SentHeader = {
  readonly name: string
  /** Null where it is not known. */
  readonly value: string | null
  /** Said in place of the value. A secret when absent. */
  readonly instead?: string
}

const NOT_KEPT = 'made anew each time, and not kept'

/** In the order in which they are sent. Those that the endpoint sets are named as it sets them now. */
export const sentHeaders = (
  { eventType, id, messageId, lastAttemptAt }: DeliveryDetail,
  { kind, url, authType, headerNames, signing }: Endpoint,
): readonly SentHeader[] => {
  const own = new Set(headerNames.map((name) => name.toLowerCase()))
  const isSent = kind === 'push'
  const defaults: readonly SentHeader[] = [
    ...(isSent ? [{ name: 'host', value: URL.parse(url)?.host ?? '' }] : []),
    { name: 'content-type', value: 'application/json' },
    { name: 'user-agent', value: 'pharos-Webhook/1.0' },
    ...(isSent ? [{ name: 'accept-encoding', value: 'identity' }] : []),
    ...(authType === 'bearer' ? [{ name: 'authorization', value: null }] : []),
  ]
  const at = lastAttemptAt === null ? null : String(Math.floor(Date.parse(lastAttemptAt) / 1_000))
  const signed = signing === 'none' ? [] : ['webhook-timestamp', 'webhook-signature']
  // There are none before the first attempt.
  const timed = isSent && at === null ? [] : ['x-pharos-timestamp', ...signed]
  return [
    ...defaults.filter(({ name }) => !own.has(name)),
    ...headerNames.map((name) => ({ name, value: null })),
    { name: 'webhook-id', value: messageId },
    { name: 'x-pharos-event', value: eventType },
    { name: 'x-pharos-delivery', value: id },
    ...timed.map((name) =>
      isSent && name !== 'webhook-signature' ? { name, value: at } : { name, value: null, instead: NOT_KEPT },
    ),
  ]
}

/**
 * Every value that is not known is a placeholder in angle brackets.
 * @param body as it is sent
 */
export const replayCommand = (delivery: DeliveryDetail, endpoint: Endpoint, body: string): string =>
  curl(endpoint.url, {
    method: 'POST',
    headers: sentHeaders(delivery, endpoint)
      .filter(({ name }) => !LEFT_TO_CURL.has(name))
      .map(({ name, value }) => [name, value ?? placeholderOf(name)] as const),
    body,
  })

const LEFT_TO_CURL: ReadonlySet<string> = new Set(['host', 'accept-encoding'])

const placeholderOf = (name: string): string =>
  name === 'authorization' ? 'Bearer <SECRET>' : `<${name.toUpperCase()}>`
