// The request of a delivery as the page shows it: no secret has a value, and the command is one for a shell.
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { addressPage } from '../../console-web/src/receiver/receiver.ts'
import type { DeliveryDetail } from '../../console-web/src/webhooks/delivery.ts'
import { type Endpoint, receiverToken } from '../../console-web/src/webhooks/endpoint.ts'
import { replayCommand, sentHeaders } from '../../console-web/src/webhooks/sent_request.ts'

const endpoint: Endpoint = {
  id: 'e',
  kind: 'push',
  url: "https://hooks.example.com:8443/it's",
  resourceType: 'item',
  events: ['item.created'],
  description: null,
  authType: 'bearer',
  headerNames: ['X-Mine', 'User-Agent'],
  signing: 'none',
  publicKeys: [],
  formerUntil: null,
  teamFilterId: null,
  enabled: true,
  disabledReason: null,
  maxPerSecond: null,
  consecutiveFailures: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
  insertedAt: '2026-01-01T00:00:00.000Z',
}
/** As PostgreSQL writes it. */
const BODY = '{"data":{"name": "it\'s $HOME `id`"}}'
const delivery: DeliveryDetail = {
  id: 'd',
  endpointId: 'e',
  eventType: 'item.created',
  resourceType: 'item',
  resourceId: 'i',
  messageId: 'msg_1',
  status: 'pending',
  httpStatus: 500,
  error: null,
  attempts: 1,
  durationMs: 3,
  nextAttemptAt: null,
  firstAttemptAt: null,
  lastAttemptAt: '2026-01-01T00:00:01.999Z',
  completedAt: null,
  insertedAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  payload: { data: { name: "it's $HOME `id`" } },
  responseBody: null,
  attemptLog: [],
}

it('has the headers that are sent, and no value of a secret', () => {
  expect(sentHeaders(delivery, endpoint)).toEqual([
    { name: 'host', value: 'hooks.example.com:8443' },
    { name: 'content-type', value: 'application/json' },
    { name: 'accept-encoding', value: 'identity' },
    { name: 'authorization', value: null },
    { name: 'X-Mine', value: null },
    { name: 'User-Agent', value: null },
    { name: 'webhook-id', value: 'msg_1' },
    { name: 'x-pharos-event', value: 'item.created' },
    { name: 'x-pharos-delivery', value: 'd' },
    { name: 'x-pharos-timestamp', value: '1767225601' },
  ])
})

it('has the time and the signature where the endpoint signs, of which the service keeps the time alone', () => {
  const names = ['webhook-timestamp', 'webhook-signature']
  const ofSignature = (one: Partial<Endpoint>) =>
    sentHeaders(delivery, { ...endpoint, ...one }).filter(({ name }) => names.includes(name))
  expect(ofSignature({ signing: 'v1' })).toEqual([
    { name: 'webhook-timestamp', value: '1767225601' },
    { name: 'webhook-signature', value: null, instead: expect.stringContaining('not kept') },
  ])
  expect(ofSignature({ signing: 'none' })).toEqual([])
})

it('of one that is read has no host, and the time of no answer', () => {
  const read = { ...endpoint, kind: 'pull', url: '', authType: 'none', headerNames: [] } as const
  const headers = sentHeaders(delivery, read)
  expect(headers.map(({ name }) => name)).toEqual([
    ...[
      'content-type',
      'user-agent',
      'webhook-id',
      'x-pharos-event',
      'x-pharos-delivery',
      'x-pharos-timestamp',
    ],
  ])
  expect(headers.at(-1)?.value).toBeNull()
})

it('is a command that a shell reads as these words', () => {
  const words = execFileSync('sh', [
    '-c',
    replayCommand(delivery, endpoint, BODY).replace(/^curl/, "printf '%s\\n'"),
  ])
  expect(String(words).trimEnd().split('\n')).toEqual([
    '-X',
    'POST',
    "https://hooks.example.com:8443/it's",
    ...['content-type: application/json', 'authorization: Bearer <SECRET>', 'X-Mine: <X-MINE>'].flatMap(
      header,
    ),
    ...['User-Agent: <USER-AGENT>', 'webhook-id: msg_1', 'x-pharos-event: item.created'].flatMap(header),
    ...['x-pharos-delivery: d', 'x-pharos-timestamp: 1767225601'].flatMap(header),
    '-d',
    BODY,
  ])
})

const header = (line: string): string[] => ['-H', line]

it('of the built-in receiver leads to its page', () => {
  const own = { url: 'https://receiver.pharos.test/abc' }
  expect(addressPage(receiverToken(own) ?? '')).toBe('/webhooks/receiver?address=abc')
  for (const url of ['https://receiver.pharos.test.example.com/abc', 'https://receiver.pharos.test:1/abc'])
    expect(receiverToken({ url })).toBeNull()
})
