// The request of an attempt, as it was sent: its headers, and the same as a command for a shell. Secrets have no value
// here, because the service never shows them.
import { curl } from '../data/curl.ts'
import type { DeliveryDetail } from './delivery.ts'
import type { Endpoint } from './endpoint.ts'

export type SentHeader = {
  readonly name: string
  /** Null for a secret. */
  readonly value: string | null
}

/** In the order in which they are sent. Those that the endpoint sets are named as it sets them now. */
export const sentHeaders = (
  { eventType, id, messageId, lastAttemptAt }: DeliveryDetail,
  endpoint: Endpoint,
): readonly SentHeader[] => {
  const own = new Set(endpoint.headerNames.map((name) => name.toLowerCase()))
  const defaults: readonly SentHeader[] = [
    { name: 'host', value: URL.parse(endpoint.url)?.host ?? '' },
    { name: 'content-type', value: 'application/json' },
    { name: 'user-agent', value: 'pharos-Webhook/1.0' },
    { name: 'accept-encoding', value: 'identity' },
    ...(endpoint.authType === 'bearer' ? [{ name: 'authorization', value: null }] : []),
  ]
  return [
    ...defaults.filter(({ name }) => !own.has(name)),
    ...endpoint.headerNames.map((name) => ({ name, value: null })),
    { name: 'webhook-id', value: messageId },
    { name: 'x-pharos-event', value: eventType },
    { name: 'x-pharos-delivery', value: id },
    ...(lastAttemptAt === null
      ? []
      : [{ name: 'x-pharos-timestamp', value: String(Math.floor(Date.parse(lastAttemptAt) / 1_000)) }]),
  ]
}

/** Every secret is a placeholder in angle brackets. */
export const replayCommand = (delivery: DeliveryDetail, endpoint: Endpoint): string =>
  curl(endpoint.url, {
    method: 'POST',
    headers: sentHeaders(delivery, endpoint)
      .filter(({ name }) => !LEFT_TO_CURL.has(name))
      .map(({ name, value }) => [name, value ?? placeholderOf(name)] as const),
    body: JSON.stringify(delivery.payload),
  })

const LEFT_TO_CURL: ReadonlySet<string> = new Set(['host', 'accept-encoding'])

const placeholderOf = (name: string): string =>
  name === 'authorization' ? 'Bearer <SECRET>' : `<${name.toUpperCase()}>`
