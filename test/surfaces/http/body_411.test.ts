// Bodies without a Content-Length: JSON and form-encoded ones may come chunked, others may not, empty ones pass.
import { describe, expect, it } from 'vitest'
import { openWire } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'

const app = testApp()

const chunked = async (
  method: string,
  path: string,
  type: string | undefined,
  body: string,
): Promise<string> => {
  const wire = await openWire(app.port)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${app.owner.key}`,
    'Transfer-Encoding: chunked',
    ...(type === undefined ? [] : [`Content-Type: ${type}`]),
  ]
  const chunks = body === '' ? '' : `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`
  wire.write(`${lines.join('\r\n')}\r\n\r\n${chunks}0\r\n\r\n`)
  const text = await wire.until((got) => /\r\n\r\n[\s\S]*\}$/.test(got))
  wire.socket.destroy()
  return text
}
const statusOf = (text: string): number => Number(text.slice(9, 12))

describe('411 length_required', () => {
  it.each([
    ['POST', '/api/json/items', 'text/plain'],
    ['POST', '/api/json/items', 'multipart/form-data; boundary=x'],
    ['POST', '/api/json/items', 'application/octet-stream'],
    ['POST', '/api/json/items', undefined],
    ['PATCH', '/api/json/items/x', 'text/plain'],
    ['DELETE', '/api/json/items/x', 'text/plain'],
    ['GET', '/api/json/users/me', 'text/plain'],
    ['GET', '/api/json/users/me', 'application/json'],
    ['GET', '/api/json/users/me', 'application/vnd.api+json'],
    ['GET', '/gql?query={__typename}', 'application/json'],
    ['POST', '/gql', 'text/plain'],
  ])('for a chunked body on %s %s of %s', async (method, path, type) => {
    const text = await chunked(method, path, type, '{}')
    expect(statusOf(text)).toBe(411)
    expect(text).toContain('length_required')
  })
})

describe('without a Content-Length pass', () => {
  it.each([
    ['application/json', 400],
    ['application/vnd.api+json', 400],
    ['application/vnd.api+json; profile=x', 400],
    ['APPLICATION/JSON', 400],
    ['application/x-www-form-urlencoded', 415],
  ])('chunked bodies of %s: they get as far as %i', async (type, status) => {
    expect(statusOf(await chunked('POST', '/api/json/items', type, '{}'))).toBe(status)
  })

  it.each([
    ['GET', '/api/json/users/me', 200],
    ['GET', '/gql?query={__typename}', 200],
    ['POST', '/api/json/items', 415],
    ['DELETE', '/api/json/items/x', 405],
  ])('empty chunked bodies of any kind: %s %s', async (method, path, status) => {
    for (const type of ['text/plain', undefined])
      expect(statusOf(await chunked(method, path, type, ''))).toBe(status)
  })
})

describe('after a refusal', () => {
  it.each(['/api/json/items', '/gql'])(
    'the connection of %s is closed: a large body neither hangs it nor is taken for the next request',
    async (path) => {
      const wire = await openWire(app.port)
      wire.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n`,
      )
      const chunk = `10000\r\n${'GET / HTTP/1.1\r\n'.repeat(4_096)}\r\n`
      for (let sent = 0; sent < 16; sent += 1) wire.write(chunk)
      wire.write('0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
      const began = performance.now()
      const text = await wire.ended
      expect(performance.now() - began).toBeLessThan(25_000)
      expect(text).toMatch(/^HTTP\/1\.1 411 /)
      expect(text).toMatch(/\r\nConnection: close\r\n/i)
      expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    },
  )
})
