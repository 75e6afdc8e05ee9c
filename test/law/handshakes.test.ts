// The law of handshakes: every malformed handshake gets a clear refusal, costs little and leaves nothing
// behind.
import { describe, expect, it } from 'vitest'
import { connectionLimits } from '../../shared/wire/console_stream.ts'
import { openTestApp } from '../support/app.ts'
import { ask, eventually, openWire } from '../support/http.ts'
import { costOfDoing, lawGround } from './cost.ts'

const ground = lawGround(openTestApp)

/** Bytes of a refusal. An error document contains only what is needed. */
const MOST_BYTES = 4_096
const POLLING = '/socket.io/?EIO=4&transport=polling'
const WEBSOCKET = '/socket.io/?EIO=4&transport=websocket'
const UPGRADE = 'Upgrade: websocket\r\nConnection: Upgrade\r\n'
const KEYED = `${UPGRADE}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`
const head = (path: string, headers: string, method = 'GET'): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`
const many = (count: number, make: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => make(n)).join('')
/** The largest frame, and so the largest polling body. */
const BODY = 'x'.repeat(connectionLimits.frame_bytes)
const post = (path: string, body: string, headers = ''): string =>
  `${head(path, `${headers}Connection: close\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n`, 'POST')}${body}`

/** The number of connections, as the service counts them. */
const counts = async (): Promise<string> => {
  const { text } = await ask(ground.app.port, '/metrics')
  return [...text.matchAll(/^pharos_\w*(?:stream|socket)\w*connections\S* (\d+)$/gm)].map(([, n]) => n).join()
}

async function judge(sent: string, statuses: readonly number[]): Promise<string> {
  const before = await counts()
  const allowed = await ground.plain.allowed(sent.length, MOST_BYTES)
  const { done, cpuMs, statements } = await costOfDoing(
    async () => {
      const wire = await openWire(ground.app.port)
      return async () => {
        wire.write(sent)
        return wire.ended
      }
    },
    allowed,
    0,
  )
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(done)?.[1])
  expect(statuses, done.slice(0, 300)).toContain(status)
  expect(done.length).toBeLessThanOrEqual(MOST_BYTES)
  expect(cpuMs).toBeLessThan(allowed)
  expect(statements).toBe(0)
  await eventually(async () => ((await counts()) === before ? true : undefined))
  return done
}

describe('a handshake over HTTP', () => {
  it.each<[string, string, readonly number[]]>([
    ['of no version', head('/socket.io/?transport=polling', 'Connection: close\r\n'), [400]],
    ['of version 3', head('/socket.io/?EIO=3&transport=polling', 'Connection: close\r\n'), [400]],
    [
      'of version 3 with binary',
      head('/socket.io/?EIO=3&transport=polling&b64=1', 'Connection: close\r\n'),
      [400],
    ],
    ['of many versions', head(`${POLLING}${'&EIO=3'.repeat(2_000)}`, 'Connection: close\r\n'), [400]],
    [
      'of a transport that there is not',
      head('/socket.io/?EIO=4&transport=flashsocket', 'Connection: close\r\n'),
      [400],
    ],
    [
      'of a transport that is a prototype',
      head('/socket.io/?EIO=4&transport=__proto__', 'Connection: close\r\n'),
      [400],
    ],
    ['of WebTransport', head('/socket.io/?EIO=4&transport=webtransport', 'Connection: close\r\n'), [400]],
    [
      'of many transports',
      head(`/socket.io/?EIO=4${'&transport=polling'.repeat(800)}`, 'Connection: close\r\n'),
      [200, 400],
    ],
    [
      'of a long transport',
      head(`/socket.io/?EIO=4&transport=${'x'.repeat(14_000)}`, 'Connection: close\r\n'),
      [400],
    ],
    ['of WebSocket without an upgrade', head(WEBSOCKET, 'Connection: close\r\n'), [400]],
    ['to a session that is not there', head(`${POLLING}&sid=nobody`, 'Connection: close\r\n'), [400]],
    [
      'to a session of a long name',
      head(`${POLLING}&sid=${'x'.repeat(14_000)}`, 'Connection: close\r\n'),
      [400],
    ],
    ['to a session that is a prototype', head(`${POLLING}&sid=__proto__`, 'Connection: close\r\n'), [400]],
    ['to many sessions', head(`${POLLING}${'&sid=x'.repeat(2_000)}`, 'Connection: close\r\n'), [400]],
    ['with a body, without a session', post(POLLING, BODY), [400]],
    ['with a body, to a session that is not there', post(`${POLLING}&sid=nobody`, BODY), [400]],
    ['with a method that there is not', head(POLLING, 'Connection: close\r\n', 'PUT'), [400]],
    ['with many parameters', head(`/socket.io/?${'a=b&'.repeat(3_500)}`, 'Connection: close\r\n'), [400]],
    ['with many brackets', head(`/socket.io/?a${'[a]'.repeat(4_500)}=1`, 'Connection: close\r\n'), [400]],
    ['with broken escapes', head(`/socket.io/?${'%'.repeat(14_000)}`, 'Connection: close\r\n'), [400]],
    ['with huge headers', head(POLLING, `X-Much: ${'x'.repeat(100_000)}\r\n`), [431]],
    [
      'with many headers',
      head(
        POLLING,
        many(3_000, (n) => `X-${n}: y\r\n`),
      ),
      [431],
    ],
    ['with a huge target', head(`${POLLING}&x=${'x'.repeat(100_000)}`, ''), [431]],
  ])('%s is refused, and nothing is kept', async (_, sent, statuses) => {
    await judge(sent, statuses)
  })
})

describe('a handshake of JSONP', () => {
  it('calls a number and nothing else, whatever it is asked to call', async () => {
    for (const name of ['0', '__proto__', 'alert(1)', '</script>', 'x'.repeat(10_000)]) {
      const { text } = await ask(ground.app.port, `${POLLING}&j=${encodeURIComponent(name)}`)
      expect(text.length).toBeLessThanOrEqual(MOST_BYTES)
      expect(text).toMatch(/^___eio\[\d*\]\("/)
      expect(text).not.toMatch(/alert|__proto__|script/)
    }
  })
})

describe.each([
  ['the console stream', WEBSOCKET],
  ['the GraphQL stream', '/gql'],
])('an upgrade to %s', (_, path) => {
  it.each<[string, string, readonly number[]]>([
    ['without a key', UPGRADE, [400]],
    [
      'with a key that is none',
      `${UPGRADE}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'x'.repeat(10_000)}\r\n`,
      [400],
    ],
    [
      'with many keys',
      `${KEYED}${many(500, () => 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n')}`,
      [400, 431],
    ],
    ['of a version that there is not', KEYED.replace(': 13', ': 99999999999'), [400, 426]],
    ['of many protocols twice', `${KEYED}Sec-WebSocket-Protocol: ${'a,'.repeat(5_000)}a\r\n`, [400]],
    ['of broken protocols', `${KEYED}Sec-WebSocket-Protocol: ${','.repeat(10_000)}\r\n`, [400]],
    ['with huge headers', `${KEYED}X-Much: ${'x'.repeat(100_000)}\r\n`, [431]],
    ['with many headers', `${KEYED}${many(3_000, (n) => `X-${n}: y\r\n`)}`, [431]],
  ])('%s is refused, and nothing is kept', async (_name, headers, statuses) => {
    await judge(head(path, headers), statuses)
  })

  it('by a method that is not GET is refused, and nothing is kept', async () => {
    await judge(head(path, KEYED, 'DELETE'), [400, 405])
  })

  it('whose first frame is noise has an end, and nothing is kept', async () => {
    const before = await counts()
    const protocol = 'Sec-WebSocket-Protocol: graphql-transport-ws\r\n'
    for (const noise of [
      '\xff'.repeat(65_536),
      '\0'.repeat(65_536),
      '\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff',
    ]) {
      const allowed = await ground.plain.allowed(noise.length, MOST_BYTES)
      const { done, cpuMs } = await costOfDoing(async () => {
        const wire = await openWire(ground.app.port)
        return async () => {
          wire.write(Buffer.from(head(path, KEYED + protocol) + noise, 'latin1'))
          return wire.ended
        }
      }, allowed)
      expect(done).toMatch(/^HTTP\/1\.1 101 /)
      expect(done.length).toBeLessThanOrEqual(MOST_BYTES)
      expect(cpuMs).toBeLessThan(allowed)
    }
    await eventually(async () => ((await counts()) === before ? true : undefined))
  })
})

describe('a namespace', () => {
  it.each([
    ['that there is not', '40/nowhere,{}'],
    ['of a long name', `40/${'x'.repeat(60_000)},{}`],
    ['without a token', '40/console,'],
    ['with a long token', `40/console,${JSON.stringify({ token: 'x'.repeat(60_000) })}`],
    ['with a deep token', `40/console,{"token":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['with many members', `40/console,{${many(5_000, (n) => `"m${n}":1,`)}"token":1}`],
  ])('%s is refused over polling, and nothing is kept', async (_, packet) => {
    const before = await counts()
    const allowed = await ground.plain.allowed(packet.length, MOST_BYTES)
    const headers = { 'content-type': 'text/plain' }
    const { done, cpuMs } = await costOfDoing(async () => {
      const { sid } = JSON.parse((await ask(ground.app.port, POLLING)).text.slice(1)) as { sid: string }
      return async () => {
        await ask(ground.app.port, `${POLLING}&sid=${sid}`, { body: packet, headers })
        return ask(ground.app.port, `${POLLING}&sid=${sid}`)
      }
    }, allowed)
    expect(done.text).toMatch(/^44|^1/)
    expect(done.text.length).toBeLessThanOrEqual(connectionLimits.frame_bytes)
    expect(cpuMs).toBeLessThan(allowed)
    await eventually(async () => ((await counts()) === before ? true : undefined))
  })
})
