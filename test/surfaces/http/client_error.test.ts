// What ends in the parser is answered once, in the shape of all errors, and its connection is closed.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { answerClientErrors } from '../../../server/surfaces/http/client_error.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { eventually, openWire } from '../../support/http.ts'
import { errorsOf, refusals } from '../jsonapi/documents.ts'
import { answerOf } from './raw_answer.ts'

describe('the service', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await openTestApp()
  })
  afterAll(() => app.close())

  const spoken = async (request: string) => {
    const wire = await openWire(app.port)
    wire.write(request)
    return answerOf(await wire.ended)
  }

  it.each([
    ['no request at all', 'hello\r\n\r\n'],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/3.0\r\nHost: x\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n'],
    ['a length that is none', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n'],
    ['a control character', 'GET /a\x01b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a broken field', 'GET / HTTP/1.1\r\nHost x\r\n\r\n'],
    ['no Host', 'GET /api/json/beacons HTTP/1.1\r\n\r\n'],
    ['two Hosts', 'GET /api/json/beacons HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n'],
  ])('answers %s with 400 malformed_request', async (_, request) => {
    const answer = await spoken(request)
    expect(refusals(answer)).toEqual(['400 malformed_request'])
    expect(answer.headers).toMatchObject({
      'content-type': 'application/vnd.api+json',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      connection: 'close',
    })
  })

  it.each(['9223372036854775808', '18446744073709551615', '18446744073709551616', '9'.repeat(200)])(
    'answers a declared length of %s with 413',
    async (length) => {
      const answer = await spoken(
        `POST /api/json/items HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
      )
      expect(refusals(answer)).toEqual(['413 request_too_large'])
      expect(errorsOf(answer)[0]?.meta).toEqual({ max_bytes: 528_384 })
      expect(answer.headers.connection).toBe('close')
    },
  )

  it('leaves aside an expectation that nobody knows', async () => {
    const answer = await spoken(
      'GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
    )
    expect(answer.status).toBe(200)
  })

  it('notes each of them once, with the id that the client was told', async () => {
    const answer = await spoken('hello\r\n\r\n')
    const [entry] = errorsOf(answer)
    const lines = await eventually(() => {
      const found = app.logged.filter(({ error_id }) => error_id === entry?.id)
      return found.length === 0 ? undefined : found
    })
    expect(lines).toMatchObject([{ msg: 'request.answered', status: 400, codes: ['malformed_request'] }])
  })
})

describe('a server', () => {
  let server: Server | undefined
  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  const listening = async (listener: RequestListener, timeout = 0): Promise<number> => {
    const made = createServer(
      { headersTimeout: timeout, requestTimeout: timeout, connectionsCheckingInterval: 10 },
      listener,
    )
    answerClientErrors(made, { maxHeaderBytes: 1, maxBodyBytes: 1, log: pino({ level: 'silent' }) })
    server = made
    await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
    return (made.address() as AddressInfo).port
  }

  it('answers a request that does not arrive in time with 408', async () => {
    const port = await listening(() => undefined, 40)
    for (const part of [
      'GET / HTTP/1.1\r\nHo',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf',
    ]) {
      const wire = await openWire(port)
      wire.write(part)
      const answer = answerOf(await wire.ended)
      expect(refusals(answer)).toEqual(['408 request_timeout'])
      expect(answer.headers).toMatchObject({ connection: 'close', 'retry-after': '1' })
    }
  })

  it('answers what came whole before, and never with words about what came after', async () => {
    const release = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const port = await listening(async (_, response) => {
      arrived.resolve()
      await release.promise
      response.end('the first')
    })
    const wire = await openWire(port)
    wire.write('GET / HTTP/1.1\r\nHost: x\r\n\r\nnonsense\r\n\r\n')
    await arrived.promise
    release.resolve()
    const received = await wire.ended
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
    expect(received.indexOf('the first')).toBeLessThan(received.indexOf('malformed_request'))
  })

  it('never writes into an answer that has begun: its connection is cut', async () => {
    const port = await listening((_, response) => {
      response.writeHead(200, { 'Content-Length': '100' })
      response.write('begun')
    })
    const wire = await openWire(port)
    wire.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n')
    await wire.until((text) => text.includes('begun'))
    wire.write('nonsense\r\n')
    expect(await wire.ended).toMatch(/begun$/)
  })
})
