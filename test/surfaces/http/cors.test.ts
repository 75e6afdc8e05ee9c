// Cross-origin use: any origin without credentials, preflights without a key, and the headers a client may read.
import { describe, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'

const app = testApp()

const OPEN = [
  '/api/json/items',
  '/api/json/nothing',
  '/gql',
  '/mcp',
  '/oauth/token',
  '/oauth/register',
  '/.well-known/keyring.json',
  '/log/checkpoint',
]

describe('CORS', () => {
  it.each(OPEN)('a preflight of %s needs no credential', async (path) => {
    const answer = await ask(app.port, path, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://elsewhere.example',
        'Access-Control-Request-Method': 'PATCH',
        'Access-Control-Request-Headers':
          'authorization, content-type, tenant, idempotency-key, if-none-match',
      },
    })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    const methods = answer.headers['access-control-allow-methods'] ?? ''
    for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE']) expect(methods).toContain(method)
    const headers = (answer.headers['access-control-allow-headers'] ?? '').toLowerCase()
    for (const name of [
      'authorization',
      'content-type',
      'accept',
      'tenant',
      'idempotency-key',
      'if-none-match',
    ])
      expect(headers).toContain(name)
  })

  it('answers, refusals too, are open to any origin and expose what clients need', async () => {
    for (const path of ['/api/json/users/me', '/api/json/nothing', '/gql'])
      for (const key of [app.owner.key, 'x']) {
        const { headers } = await ask(app.port, path, {
          key,
          headers: { Origin: 'https://elsewhere.example' },
        })
        expect(headers['access-control-allow-origin']).toBe('*')
        expect(headers['access-control-allow-credentials']).toBeUndefined()
        for (const name of [
          'Retry-After',
          'RateLimit',
          'RateLimit-Policy',
          'WWW-Authenticate',
          'Location',
          'ETag',
        ])
          expect(headers['access-control-expose-headers']?.split(', ')).toContain(name)
      }
  })

  it('nothing else is', async () => {
    for (const path of [
      '/',
      '/health/live',
      '/health/ready',
      '/metrics',
      '/api/jsonx',
      '/gqlx',
      '/oauth/authorize',
    ]) {
      const { headers } = await ask(app.port, path, { headers: { Origin: 'https://elsewhere.example' } })
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })
})

describe('security headers', () => {
  it('forbid sniffing on every answer', async () => {
    for (const path of ['/', '/health/live', '/api/json/nothing', '/gql', '/nothing'])
      expect((await ask(app.port, path)).headers['x-content-type-options']).toBe('nosniff')
  })

  it('are strict on every page', async () => {
    for (const path of ['/', '/nothing', '/beacons/x']) {
      const { headers } = await ask(app.port, path)
      expect(headers['referrer-policy']).toBe('no-referrer')
      const policy = headers['content-security-policy'] ?? ''
      expect(policy).toMatch(/default-src 'none'/)
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
    }
  })
})
