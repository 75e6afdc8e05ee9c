// 403: what a credential's scopes do not cover, with an empty body and the scope that it lacks, on every route.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { API_ROOT } from '../../../server/surfaces/jsonapi/routes.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { type Ask, ask } from '../../support/http.ts'
import { openScopedServer, type ScopedServer } from '../http/scoped_server.ts'
import { refusals, resourceOf } from './documents.ts'

let app: TestApp
let server: ScopedServer
beforeAll(async () => {
  app = await openTestApp()
  server = await openScopedServer(app)
})
afterAll(async () => {
  server.close()
  await app.close()
})

/** By name, and not by what the catalog says of them. */
const READ_ONLY_POST: ReadonlySet<string> = new Set([
  ...['kb/search', 'kb/fetch', 'kb/links'],
  ...['hash', 'verify-hash', 'uuidv7-timestamp', 'ulid-timestamp', 'resolve-id'].map(
    (name) => `utilities/${name}`,
  ),
  ...['utilities/jcs-canonicalize', 'utilities/server-time', 'proof/generate', 'proof/verify'],
])
const routes = [...catalog.resources.flatMap(({ operations }) => operations), ...catalog.actions].flatMap(
  (one) => ('http' in one ? [one.http] : []),
)
const isRead = (route: string) => route.startsWith('GET ') || READ_ONLY_POST.has(route.replace('POST /', ''))
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
const needs = (scope: string) => `Bearer error="insufficient_scope", scope="${scope}"`

describe('403 of a scope that is missing', () => {
  it.each(routes)('%s', async (route) => {
    const scope = isRead(route) ? 'api:read' : 'api:write'
    expect(await lacking(route, 'none')).toBe(needs(scope))
    if (!isRead(route)) expect(await lacking(route, 'api:read')).toBe(needs('api:write'))
    if (route.startsWith('GET '))
      expect(await lacking(route.replace('GET', 'HEAD'), 'none')).toBe(needs(scope))
  })

  it('is not met with the scope there', async () => {
    expect(resourceOf(await send('GET /users/me', 'api:read')).id).toBe(app.owner.userId)
    const hash = await send('POST /utilities/hash', 'api:read', { body: { json: { data: { text: 'abc' } } } })
    expect(hash.status).toBe(201)
    expect(refusals(await send('POST /items', 'api:write', { body: { json: {} } }))).toEqual([
      '400 required /data',
    ])
  })

  it('comes after the budget and the route, and before the tenant, the media type and the document', async () => {
    expect(refusals(await send('GET /items', 'spent+none'))).toEqual(['429 rate_limited'])
    expect(refusals(await send('GET /nothing', 'none'))).toEqual(['404 no_route_found'])
    expect(refusals(await send('PUT /items', 'none'))).toEqual(['405 method_not_allowed'])
    const headers = { tenant: UUID, Accept: 'application/vnd.api+json;a=1', 'Content-Type': 'text/plain' }
    expect(await lacking('POST /items', 'api:read', { headers, body: '{' })).toBe(needs('api:write'))
  })
})
