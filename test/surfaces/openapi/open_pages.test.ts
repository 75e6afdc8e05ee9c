// What stands below /api/json without a credential: the document, the two pages and their files, and nothing else.
import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'

const app = testApp()

const PAGES = ['/api/json/swaggerui', '/api/json/redoc']
const FILES = [
  '/api/json/swaggerui/swagger-ui.css',
  '/api/json/swaggerui/swagger-ui-bundle.js',
  '/api/json/swaggerui/explorer.js',
  '/api/json/redoc/redoc.standalone.js',
  '/api/json/redoc/reference.js',
]
const DOCUMENT = '/api/json/open_api'

describe('the document', () => {
  it('is served to everybody, with the address and the version of this service', async () => {
    const answer = await ask(app.port, DOCUMENT)
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
    })
    expect(answer.json()).toMatchObject({
      openapi: '3.1.0',
      info: { version: manifest.version },
      servers: [{ url: app.base }],
    })
  })

  it('answers 304 for its ETag, and HEAD without a body', async () => {
    const { headers } = await ask(app.port, DOCUMENT)
    const again = await ask(app.port, DOCUMENT, { headers: { 'If-None-Match': headers.etag ?? '' } })
    expect([again.status, again.text]).toEqual([304, ''])
    const head = await ask(app.port, DOCUMENT, { method: 'HEAD' })
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      headers['content-length'],
    ])
  })
})

describe('the pages', () => {
  it.each(PAGES)('%s is a page that runs scripts of ours alone', async (path) => {
    const { status, headers, text } = await ask(app.port, path)
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = headers['content-security-policy'] ?? ''
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        'worker-src blob:',
      ]),
    )
    expect(headers).toMatchObject({
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(text).not.toMatch(/<script(?![^>]* src=)|https?:/)
    for (const [, address = ''] of text.matchAll(/(?:src|href)="(\/[^"]+)"/g))
      expect(FILES).toContain(address)
  })

  it.each(PAGES)('%s/ leads to it', async (path) => {
    const { status, headers } = await ask(app.port, `${path}/`)
    expect([status, headers.location]).toEqual([308, path])
  })

  it.each(FILES)('%s is there, as what it is', async (path) => {
    const { status, headers, text } = await ask(app.port, path)
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(path.endsWith('.css') ? /^text\/css/ : /^text\/javascript/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(text).not.toContain('cdn.redoc.ly')
  })

  it.each([DOCUMENT, ...PAGES, FILES[0] ?? ''])(
    '%s answers other methods with 405 and Allow',
    async (path) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers } = await ask(app.port, path, { method })
        expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
      }
    },
  )

  it.each([
    '/api/json/swaggerui/../open_api',
    '/api/json/swaggerui/package.json',
    '/api/json/swaggerui/%2e%2e%2fpackage.json',
    '/api/json/redoc/explorer.html',
    '/api/json/open_api/',
    '/api/json/open_api.json',
  ])('%s is closed like everything else', async (path) => {
    expect((await ask(app.port, path)).status).toBe(401)
  })
})
