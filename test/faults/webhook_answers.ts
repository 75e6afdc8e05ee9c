// The answers of receivers, immediate or slow, and the resulting state of the delivery.
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import type { WebhookDelivery } from '../../server/domain/webhooks/deliveries/delivery.ts'
import type { Respond } from '../support/receiver.ts'

export interface Row {
  readonly name: string
  readonly respond: Respond
  readonly expected: Partial<WebhookDelivery>
  /** Bounds of the wait until the next attempt, in seconds. */
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

export const ROWS: readonly Row[] = [
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
    expected: again(null, 'the connection was closed without an answer'),
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
  {
    name: 'speaks no HTTP',
    respond: raw('SSH-2.0-OpenSSH_9.9\r\n'),
    expected: again(null, 'the answer is no HTTP'),
  },
  {
    name: 'has a broken status line',
    respond: raw('HTTP/1.1 2x0 OK\r\n\r\n'),
    expected: again(null, 'the answer has a broken status line'),
  },
  {
    name: 'has a broken header',
    respond: raw('HTTP/1.1 200 OK\r\nno colon\r\n\r\n'),
    expected: again(null, 'the answer has a broken header'),
  },
  {
    name: 'speaks a version that is not known',
    respond: raw('HTTP/7.3 200 OK\r\n\r\n'),
    expected: again(null, 'the answer is of no known version of HTTP'),
  },
  {
    name: 'has a length that is no number',
    respond: raw('HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n'),
    expected: again(null, 'the answer has a broken Content-Length'),
  },
  {
    name: 'has two lengths',
    respond: raw('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'),
    expected: again(null, 'the answer says twice how long it is'),
  },
  ...['000', '099', '600', '999'].map((code) => ({
    name: `answers ${code}, which is no status`,
    respond: raw(`HTTP/1.1 ${code} So\r\nContent-Length: 0\r\n\r\n`),
    expected: {
      status: 'cancelled',
      httpStatus: Number(code),
      error: `the receiver answered ${code}, which ends no request of HTTP`,
    } as const,
  })),
  {
    name: 'says some 1xx first',
    respond: raw(
      'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    ),
    expected: { ...success(200), responseBody: 'ok' },
  },
  {
    name: 'says 100 before its answer',
    respond: raw('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    expected: success(200),
  },
  {
    name: 'wants another protocol',
    respond: raw('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'stay'),
    expected: {
      status: 'cancelled',
      httpStatus: 101,
      error: 'the receiver answered 101, which ends no request of HTTP',
    },
  },
  {
    name: 'sets cookies and a proxy',
    respond: status(200, { 'set-cookie': 'a=b', 'proxy-authenticate': 'Basic' }),
    expected: success(200),
  },
]

/** Each of these takes as long as an attempt may take. */
export const SLOW_ROWS: readonly Row[] = [
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
