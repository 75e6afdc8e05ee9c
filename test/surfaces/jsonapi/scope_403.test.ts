// 403: what a credential's scopes do not cover, with an empty body and the scope that it lacks. Which scope each route
// needs is in test/conformance/credentials.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_ROOT } from '../../../server/catalog/catalog.ts'
import { type Ask, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { openScopedServer, type ScopedServer } from '../http/scoped_server.ts'
import { refusals, resourceOf } from './documents.ts'

const app = testApp()
let server: ScopedServer
beforeAll(async () => {
  server = await openScopedServer(app)
})
afterAll(async () => {
  server.close()
})

const UUID = '01a2ce8e-9320-7630-bb7f-73edc8868b1d'
const send = (route: string, key: string, parts: Ask = {}) => {
  const [method = '', path = ''] = route.split(' ')
  return ask(server.port, `${API_ROOT}${path.replace(/:\w+/, UUID)}`, { method, key, ...parts })
}
const lacking = async (route: string, key: string, parts: Ask = {}) => {
  const { status, text, headers } = await send(route, key, parts)
  expect([status, text, headers['content-type']], route).toEqual([403, '', undefined])
  return headers['www-authenticate']
}
const needs = (scope: string) =>
  `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="http://x/.well-known/oauth-protected-resource"`

describe('403 of a scope that is missing', () => {
  it('names the scope, for HEAD as for GET', async () => {
    expect(await lacking('GET /items', 'none')).toBe(needs('api:read'))
    expect(await lacking('HEAD /items', 'none')).toBe(needs('api:read'))
    expect(await lacking('POST /items', 'api:read')).toBe(needs('api:write'))
    expect(await lacking('POST /api-keys', 'api:read+api:write')).toBe(needs('account'))
  })

  it('is not met with the scope there', async () => {
    expect(resourceOf(await send('GET /users/me', 'api:read')).id).toBe(app.owner.userId)
    const hash = await send('POST /utilities/hash', 'api:read', { body: { json: { data: { text: 'abc' } } } })
    expect(hash.status).toBe(201)
    for (const [route, scope] of [
      ['POST /items', 'api:write'],
      ['POST /api-keys', 'account'],
    ] as const)
      expect(refusals(await send(route, scope, { body: { json: {} } }))).toEqual(['400 required /data'])
  })

  it('comes after the budget and the route, and before the tenant, the media type and the document', async () => {
    expect(refusals(await send('GET /items', 'spent+none'))).toEqual(['429 rate_limited'])
    expect(refusals(await send('GET /nothing', 'none'))).toEqual(['404 no_route_found'])
    expect(refusals(await send('PUT /items', 'none'))).toEqual(['405 method_not_allowed'])
    const headers = { tenant: UUID, Accept: 'application/vnd.api+json;a=1', 'Content-Type': 'text/plain' }
    expect(await lacking('POST /items', 'api:read', { headers, body: '{' })).toBe(needs('api:write'))
  })
})
