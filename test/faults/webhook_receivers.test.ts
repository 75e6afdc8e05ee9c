// Receivers that answer badly, late, endlessly or not at all: each delivery ends up in the state its answer deserves.

import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WebhookDelivery } from '../../server/domain/webhooks/delivery.ts'
import { makeAuthority } from '../support/certificate.ts'
import { openReceiver, type Receiver, type Respond, TEST_AUTHORITY, TEST_NAMES } from '../support/receiver.ts'
import { openTestWebhooks, type TestWebhooks } from '../support/webhooks.ts'

interface Row {
  readonly name: string
  readonly respond: Respond
  readonly expected: Partial<WebhookDelivery>
  /** Seconds that the wait until the next attempt lies in, from and to. */
  readonly wait?: readonly [number, number]
}

const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  (response) =>
    void response.writeHead(code, headers).end('some body')

const raw =
  (text: string, then: 'end' | 'destroy' | 'stay' = 'end'): Respond =>
  (_response, _heard, socket) => {
    socket.write(text)
    if (then === 'end') socket.end()
    if (then === 'destroy') socket.destroy()
  }

const success = (httpStatus: number) => ({ status: 'success', httpStatus, error: null }) as const
const cancelled = (httpStatus: number) =>
  ({ status: 'cancelled', httpStatus, error: `the receiver answered ${httpStatus}`, attempts: 1 }) as const
const again = (httpStatus: number | null, error: unknown = expect.any(String)) =>
  ({ status: 'pending', httpStatus, error, attempts: 1 }) as Partial<WebhookDelivery>

const FIRST_WAIT = [11.9, 18.2] as const
const inOneHour = () => new Date(Date.now() + 3_600_000)

const ROWS: readonly Row[] = [
  ...[200, 201, 202, 204, 206, 299].map((code) => ({
    name: `answers ${code}`,
    respond: status(code),
    expected: success(code),
  })),
  ...[300, 301, 302, 303, 304, 307, 308].map((code) => ({
    name: `redirects with ${code}`,
    respond: status(code, { location: '/never-followed' }),
    expected: cancelled(code),
  })),
  ...[400, 401, 403, 404, 405, 409, 410, 411, 413, 415, 418, 422, 451, 499].map((code) => ({
    name: `answers ${code}`,
    respond: status(code, { 'retry-after': '1' }),
    expected: cancelled(code),
  })),
  ...[408, 429, 500, 501, 502, 503, 504, 599].map((code) => ({
    name: `answers ${code}`,
    respond: status(code),
    expected: again(code, `the receiver answered ${code}`),
    wait: FIRST_WAIT,
  })),
  {
    name: 'asks for an hour in seconds',
    respond: status(429, { 'retry-after': '3600' }),
    expected: again(429),
    wait: [3_599, 3_601],
  },
  {
    name: 'asks for an hour as an IMF date',
    respond: (response) => void response.writeHead(503, { 'retry-after': inOneHour().toUTCString() }).end(),
    expected: again(503),
    wait: [3_590, 3_602],
  },
  {
    name: 'asks for less than the plan',
    respond: status(429, { 'retry-after': '1' }),
    expected: again(429),
    wait: FIRST_WAIT,
  },
  {
    name: 'asks for a year',
    respond: status(503, { 'retry-after': '31536000' }),
    expected: again(503),
    wait: [43_199, 43_201],
  },
  ...['-5', '1e9', 'soon', '', '3600, 1', '0x10', '2099-01-01', 'Thu, 01 Jan 1970 00:00:00 GMT'].map(
    (text) => ({
      name: `asks for ${JSON.stringify(text)}`,
      respond: status(429, { 'retry-after': text }),
      expected: again(429),
      wait: FIRST_WAIT,
    }),
  ),
  {
    name: 'asks to wait on a status where that means nothing',
    respond: status(500, { 'retry-after': '3600' }),
    expected: again(500),
    wait: FIRST_WAIT,
  },
  {
    name: 'closes without an answer',
    respond: (_response, _heard, socket) => void socket.end(),
    expected: again(null, 'the connection was closed without an answer'),
    wait: FIRST_WAIT,
  },
  {
    name: 'resets in the middle of the headers',
    respond: raw('HTTP/1.1 200 OK\r\nContent-Le', 'destroy'),
    expected: again(null),
  },
  {
    name: 'breaks off a body of a known length',
    respond: raw('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf', 'destroy'),
    expected: { ...success(200), responseBody: 'half' },
  },
  {
    name: 'breaks off a chunked body',
    respond: raw('HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz', 'destroy'),
    expected: success(202),
  },
  {
    name: 'breaks off the body of a failure',
    respond: raw('HTTP/1.1 500 No\r\nContent-Length: 1000\r\n\r\nhalf', 'destroy'),
    expected: again(500),
  },
  {
    name: 'sends a body without an end',
    respond: (response) => {
      response.writeHead(200)
      const more = (): void => {
        while (response.writable && response.write('x'.repeat(16_384)));
        response.once('drain', more)
      }
      more()
    },
    expected: { ...success(200), responseBody: 'x'.repeat(16_384) },
  },
  {
    name: 'sends what would unpack to a hundred megabytes',
    respond: (response) =>
      void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100_000_000))),
    expected: success(200),
  },
  {
    name: 'sends bytes that are no text',
    respond: (response) => void response.writeHead(200).end(Buffer.from([0, 0xff, 0xfe, 0x41])),
    expected: { ...success(200), responseBody: '\ufffd\ufffd\ufffdA' },
  },
  {
    name: 'sends huge headers',
    respond: raw(`HTTP/1.1 200 OK\r\nX-Much: ${'x'.repeat(40_000)}\r\nContent-Length: 0\r\n\r\n`),
    expected: again(null, 'the answer has too large headers'),
  },
  { name: 'speaks no HTTP', respond: raw('SSH-2.0-OpenSSH_9.9\r\n'), expected: again(null) },
  {
    name: 'says some 1xx first',
    respond: raw(
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    ),
    expected: { ...success(200), responseBody: 'ok' },
  },
  {
    name: 'says 100 though nothing was expected',
    respond: raw('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    expected: again(null),
  },
  {
    name: 'wants another protocol',
    respond: raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'stay'),
    expected: again(null),
  },
  {
    name: 'sets cookies and a proxy',
    respond: status(200, { 'set-cookie': 'a=b', 'proxy-authenticate': 'Basic' }),
    expected: success(200),
  },
]

/** These take as long as an attempt may. */
const SLOW_ROWS: readonly Row[] = [
  {
    name: 'never answers',
    respond: () => undefined,
    expected: again(null, 'no answer within 15 s'),
    wait: FIRST_WAIT,
  },
  {
    name: 'drips the headers byte by byte',
    respond: (_response, _heard, socket) =>
      drip(socket, 'HTTP/1.1 200 OK\r\nX-A: aaaaaaaaaaaaaaaaaaaaaaaaaaaa'),
    expected: again(null, 'no answer within 15 s'),
  },
  {
    name: 'drips the body byte by byte',
    respond: (response, _heard, socket) => {
      response.writeHead(200, { 'content-length': '1000' }).flushHeaders()
      drip(socket, 'y'.repeat(100))
    },
    expected: success(200),
  },
]

function drip(
  socket: { write: (text: string) => unknown; once: (event: 'close', f: () => void) => unknown },
  text: string,
): void {
  let at = 0
  const timer = setInterval(() => socket.write(text.charAt(at++)), 500)
  socket.once('close', () => clearInterval(timer))
}

let webhooks: TestWebhooks
let receiver: Receiver
beforeAll(async () => {
  webhooks = await openTestWebhooks({ resolve: async () => ['127.0.0.1'] })
  receiver = await openReceiver()
})
afterAll(async () => {
  await receiver.close()
  await webhooks.close()
})

/** One endpoint per row, all worked off side by side: one that hangs keeps nobody waiting. */
async function deliverAll(rows: readonly Row[]): Promise<Map<string, WebhookDelivery>> {
  receiver.respond((response, heard, socket) =>
    rows[Number(heard.path.slice(1))]?.respond(response, heard, socket),
  )
  const endpoints = new Map<string, string>()
  for (const [n, { name }] of rows.entries()) {
    const { id } = await webhooks.endpoint({
      url: receiver.url('127.0.0.1', `/${n}`),
      events: ['item.created'],
    })
    endpoints.set(id, `${n} ${name}`)
  }
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  await webhooks.deliverDue()
  const deliveries = await webhooks.deliveries()
  await webhooks.query('DELETE FROM webhook_endpoints')
  await webhooks.query('DELETE FROM webhook_deliveries')
  return new Map(deliveries.map((delivery) => [endpoints.get(delivery.endpointId) ?? '', delivery]))
}

describe.each([
  ['at once', ROWS],
  ['slowly', SLOW_ROWS],
] as const)('a receiver that, %s,', (_, rows) => {
  let ended: Map<string, WebhookDelivery>
  beforeAll(async () => {
    ended = await deliverAll(rows)
  }, 120_000)

  it.each(rows.map((row, n) => ({ ...row, n })))('$name', ({ name, expected, wait, n }) => {
    const delivery = ended.get(`${n} ${name}`)
    expect(delivery).toMatchObject({ attempts: 1, ...expected })
    expect(delivery?.attemptLog).toMatchObject([
      {
        number: 1,
        resolved_addresses: ['127.0.0.1'],
        address: '127.0.0.1',
        http_status: expected.httpStatus,
      },
    ])
    if (wait === undefined) return
    const waits = (Number(delivery?.nextAttemptAt) - Number(delivery?.updatedAt)) / 1_000
    expect(waits).toBeGreaterThanOrEqual(wait[0])
    expect(waits).toBeLessThanOrEqual(wait[1])
  })

  it('is asked once each, and no redirect is followed', () => {
    const paths = receiver.heard.map(({ path }) => path)
    receiver.heard.length = 0
    expect(paths.toSorted()).toEqual(rows.map((_row, n) => `/${n}`).toSorted())
  })
})

describe('a connection that', () => {
  const servers: { close: () => unknown }[] = []
  afterAll(() => {
    for (const server of servers) server.close()
  })
  const stranger = makeAuthority('A stranger')

  it('cannot be made, or is not who it should be, is tried again', async () => {
    const silent: Server = createServer(() => undefined)
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
    const expired = await openReceiver({
      certificate: TEST_AUTHORITY.issue(TEST_NAMES, { from: -9, to: -1 }),
    })
    const early = await openReceiver({ certificate: TEST_AUTHORITY.issue(TEST_NAMES, { from: 2, to: 9 }) })
    const other = await openReceiver({ certificate: TEST_AUTHORITY.issue(['other.example.com']) })
    const foreign = await openReceiver({ certificate: stranger.issue(TEST_NAMES) })
    const closed = await openReceiver()
    await closed.close()
    servers.push(silent, expired, early, other, foreign)
    const expected = new Map<string, unknown>()
    for (const [url, error] of [
      [closed.url(), 'connection refused'],
      [`https://127.0.0.1:${(silent.address() as AddressInfo).port}/`, 'no connection within 5 s'],
      [expired.url(), 'the certificate has expired'],
      [early.url(), 'the certificate is not valid yet'],
      [other.url('hooks.example.com'), 'the certificate is for another host'],
      [other.url(), 'the certificate is for another host'],
      [foreign.url(), expect.stringMatching(/^the certificate /)],
    ] as const)
      expected.set((await webhooks.endpoint({ url, events: ['item.created'] })).id, error)
    await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    await webhooks.deliverDue()
    for (const { endpointId, ...delivery } of await webhooks.deliveries())
      expect(delivery).toMatchObject({
        status: 'pending',
        httpStatus: null,
        attempts: 1,
        error: expected.get(endpointId),
      })
    for (const one of [expired, early, other, foreign]) expect(one.heard).toEqual([])
  })
})
