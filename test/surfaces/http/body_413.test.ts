// Request bodies over the limit: refused before reading when declared, while reading when not, and the connection closed.
import { describe, expect, it } from 'vitest'
import { ask, eventually, openWire } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { errorsOf, refusals, resourceOf } from '../jsonapi/documents.ts'
import { itemBody } from '../jsonapi/item_documents.ts'

const app = testApp()

const LIMIT = 528_384
const JSON_API = { 'Content-Type': 'application/vnd.api+json' }
const head = (lines: string[]) => ['POST /api/json/items HTTP/1.1', 'Host: x', ...lines, '', ''].join('\r\n')
const authorized = () => `Authorization: Bearer ${app.owner.key}`

describe('413 request_too_large', () => {
  it('answers a body that is one byte too large, with meta.max_bytes, and closes the connection', async () => {
    const answer = await ask(app.port, '/api/json/items', {
      key: app.owner.key,
      headers: JSON_API,
      body: 'x'.repeat(LIMIT + 1),
    })
    expect(refusals(answer)).toEqual(['413 request_too_large'])
    expect(errorsOf(answer)[0]?.meta).toEqual({ max_bytes: LIMIT })
    expect(answer.headers.connection).toBe('close')
  })

  it('takes a body of exactly the limit', async () => {
    const text = JSON.stringify(itemBody().json)
    const body = text + ' '.repeat(LIMIT - Buffer.byteLength(text))
    resourceOf(await ask(app.port, '/api/json/items', { key: app.owner.key, headers: JSON_API, body }), 201)
  })

  it('refuses a declared length over the limit before a byte of the body is sent', async () => {
    for (const length of [String(LIMIT + 1), '9'.repeat(15)]) {
      const wire = await openWire(app.port)
      wire.write(head([`Content-Length: ${length}`, 'Content-Type: application/json', authorized()]))
      const text = await wire.ended
      expect(text).toMatch(/^HTTP\/1\.1 413 /)
      expect(text).toContain('"max_bytes":528384')
    }
  })

  it('refuses a chunked body as soon as it grows past the limit, though it never ends', async () => {
    const wire = await openWire(app.port)
    wire.write(head(['Transfer-Encoding: chunked', 'Content-Type: application/json', authorized()]))
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`
    for (let sent = 0; sent < 9; sent += 1) wire.write(chunk)
    const text = await wire.ended
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
    expect(text).toMatch(/\r\nConnection: close\r\n/i)
  })

  it('reaches a client that goes on sending, every time', async () => {
    for (let round = 0; round < 10; round += 1) {
      for (const body of [
        'x'.repeat(3 * LIMIT),
        Array.from({ length: 24 }, () => Buffer.alloc(65_536, 32)),
      ]) {
        const answer = await ask(app.port, '/api/json/items', { key: app.owner.key, headers: JSON_API, body })
        expect(answer.status).toBe(413)
      }
    }
  })
})

describe('a body that does not arrive in full', () => {
  it('is no fault of ours, and no reason to call the database unavailable', async () => {
    const wire = await openWire(app.port)
    wire.write(head(['Content-Length: 100', 'Content-Type: application/json', 'X-Test: half', authorized()]))
    wire.write('{"data":')
    wire.socket.end()
    await wire.ended
    wire.socket.destroy()
    resourceOf(await ask(app.port, '/api/json/items', { key: app.owner.key, body: itemBody() }), 201)
    await eventually(() => app.logged.find(({ codes }) => String(codes) === 'invalid_body'))
    expect(app.logged.filter(({ msg }) => msg === 'request.fault')).toEqual([])
  })
})
