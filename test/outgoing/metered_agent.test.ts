// Connections that are counted: an answer within its bounds comes whole however often one asks, what is beyond ends at once.
import { createServer as createPlain, type RequestListener, type Server } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { type AddressInfo, createServer as createRaw, type Socket } from 'node:net'
import { createServer as createTls } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { boundedRequest, MeteredAgent } from '../../server/outgoing/bounded_request.ts'
import { makeAuthority } from '../support/certificate.ts'

const authority = makeAuthority('Test authority')
const certificate = authority.issue(['127.0.0.1'])
const OPENING: Readonly<Record<'http' | 'https', (answer: RequestListener) => Server>> = {
  http: createPlain,
  https: (answer) => createSecure(certificate, answer),
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const listening = async (server: ReturnType<typeof createRaw>): Promise<number> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => void sockets.add(socket.on('error', () => undefined)))
  await new Promise<void>((bound) => void server.listen(0, '127.0.0.1', bound))
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** As patient as a test is: what ends sooner was ended by what came. */
const asking = (maxBytes: number) => {
  const dispatcher = new MeteredAgent({ maxBytes, connections: 1, ca: authority.cert })
  closing.push(() => dispatcher.destroy())
  return { timeoutMs: 120_000, maxBytes, dispatcher }
}

describe.each(['http', 'https'] as const)('over %s', (protocol) => {
  it('counts anew for every request on a connection that is kept', async () => {
    const body = Buffer.alloc(60_000, 'x')
    const server = OPENING[protocol]((_request, response) => void response.end(body))
    let connections = 0
    server.on(protocol === 'http' ? 'connection' : 'secureConnection', () => {
      connections += 1
    })
    const address = `${protocol}://127.0.0.1:${await listening(server)}`
    const bounds = asking(65_536)
    for (let asked = 0; asked < 8; asked += 1) {
      const answer = await boundedRequest(address, { ...bounds, method: 'POST', body: 'x'.repeat(asked) })
      expect(answer.body).toHaveLength(body.length)
    }
    expect(connections).toBe(1)
  })

  it('takes a body at its ceiling, in chunks, after a long head', async () => {
    const server = OPENING[protocol]((_request, response) => {
      response.writeHead(200, { link: `<${'x'.repeat(15_000)}>` })
      for (let chunk = 0; chunk < 256; chunk += 1) response.write(Buffer.alloc(4_096, 'x'))
      response.end()
    })
    const address = `${protocol}://127.0.0.1:${await listening(server)}`
    const { status, body } = await boundedRequest(address, asking(1_048_576))
    expect([status, body.length]).toEqual([200, 1_048_576])
  })

  it('ends an answer that comes byte by byte', async () => {
    const server = OPENING[protocol]((_request, response) => {
      response.writeHead(200, { 'content-length': 1_000_000 }).flushHeaders()
      const more = (): void =>
        void (response.destroyed || response.write('x', (failed) => failed || setImmediate(more)))
      more()
    })
    const address = `${protocol}://127.0.0.1:${await listening(server)}`
    await expect(boundedRequest(address, asking(32_768))).rejects.toMatchObject({
      reason: 'too_large',
      message: expect.stringMatching(/ sent more than \d+ pieces$/),
    })
  })

  it('ends empty lines in the place of an answer', async () => {
    const flood = (socket: Socket): void => {
      const more = (failed?: Error | null): void =>
        void (failed || socket.destroyed || socket.write('\r\n'.repeat(8_000), more))
      socket.once('data', () => more()).on('error', () => undefined)
    }
    const server = protocol === 'http' ? createRaw(flood) : createTls(certificate, flood)
    const address = `${protocol}://127.0.0.1:${await listening(server)}`
    await expect(boundedRequest(address, asking(1_024))).rejects.toMatchObject({
      reason: 'too_large',
      message: expect.stringMatching(/ sent more than 66560 bytes$/),
    })
  })
})

it('says at once that a connection was closed before it was secure', async () => {
  const port = await listening(createRaw((socket) => void socket.once('data', () => socket.destroy())))
  // Not what is said when a connection is given up on.
  await expect(boundedRequest(`https://127.0.0.1:${port}`, asking(1_024))).rejects.toMatchObject({
    reason: 'unreachable',
    cause: { message: expect.stringMatching(/before (it was secure|secure TLS connection)/) },
  })
})

it('trusts nobody but the authorities', async () => {
  const port = await listening(OPENING.https((_request, response) => void response.end('x')))
  const bounds = { timeoutMs: 120_000, maxBytes: 1_024 }
  await expect(boundedRequest(`https://127.0.0.1:${port}`, bounds)).rejects.toMatchObject({
    reason: 'unreachable',
    cause: { code: expect.stringMatching(/CERT|SIGNATURE|ISSUER/) },
  })
})
