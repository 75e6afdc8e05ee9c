// 403: what a credential's scopes do not cover is told over JSON:API and over GraphQL with an empty body and the scope
// that it lacks, before anything runs. Which scope each route and root field needs is in
// test/conformance/credentials.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { API_ROOT } from '../../server/catalog/catalog.ts'
import { type Answer, type Ask, ask } from '../support/http.ts'
import { testApp } from '../support/test_app.ts'
import { ERRORS, outcome } from '../surfaces/graphql/ask_field.ts'
import { askGraphql, codesOf, graphqlOf } from '../surfaces/graphql/ask_graphql.ts'
import { openScopedServer, type ScopedServer } from '../surfaces/http/scoped_server.ts'
import { refusals, resourceOf } from '../surfaces/jsonapi/documents.ts'

const app = testApp()
let server: ScopedServer
beforeAll(async () => {
  server = await openScopedServer(app)
})
afterAll(() => server.close())

const UUID = '01a2ce8e-9320-7630-bb7f-73edc8868b1d'
const FOREIGN = { tenant: UUID }
const QUERY = '{ currentUser { id email } }'
const MUTATION = 'mutation { redactItem(id: "x") { errors { code } } }'
const KEY = 'destroyApiKey(id: "x") { errors { code } }'
const BOTH = `query Q ${QUERY} ${MUTATION.replace('mutation', 'mutation M')} mutation K { ${KEY} }`

/** A route as `GET /items`; anything else is asked of GraphQL. */
const send = (what: string, scopes: string, parts: Ask = {}): Promise<Answer> => {
  const [, method, path] = /^([A-Z]+) (\S+)$/.exec(what) ?? []
  return method === undefined
    ? askGraphql(server.port, scopes, what, parts)
    : ask(server.port, `${API_ROOT}${path}`, { method, key: scopes, ...parts })
}
/** The challenge of a refusal that says nothing else. */
const lacking = async (what: string, scopes: string, parts: Ask = {}) => {
  const { status, text, headers } = await send(what, scopes, parts)
  expect([status, text, headers['content-type']], what).toEqual([403, '', undefined])
  return headers['www-authenticate']
}
const needs = (scope: string) =>
  `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="http://x/.well-known/oauth-protected-resource"`

describe('403 of a scope that is missing', () => {
  it.each([
    ['GET /items', 'none', 'api:read'],
    ['HEAD /items', 'none', 'api:read'],
    ['POST /items', 'api:read', 'api:write'],
    ['POST /api-keys', 'api:read+api:write', 'account'],
    [QUERY, 'none', 'api:read'],
    ['{', 'none', 'api:read'],
    [QUERY, 'account', 'api:read'],
    [MUTATION, 'none', 'api:write'],
    [MUTATION, 'api:read', 'api:write'],
    ['mutation { nothing }', 'api:read', 'api:write'],
    [MUTATION, 'account', 'api:write'],
    [`mutation { ${KEY} }`, 'api:write', 'account'],
    [`mutation { ...on RootMutationType { a: ${KEY} } }`, 'api:write', 'account'],
    [`mutation { ...F } fragment F on RootMutationType { a: ${KEY} }`, 'api:write', 'account'],
    [`mutation { ${KEY.replace('{', '@skip(if: true) {')} }`, 'api:write', 'account'],
    [`mutation { ${KEY} redactItem(id: "x") { errors { code } } }`, 'account', 'account api:write'],
  ])('%s with %s names %s', async (what, scopes, scope) => {
    expect(await lacking(what, scopes)).toBe(needs(scope))
  })

  it('is not met with the scope there', async () => {
    const { userId } = app.owner
    expect(resourceOf(await send('GET /users/me', 'api:read')).id).toBe(userId)
    expect(graphqlOf(await send(QUERY, 'api:read')).data).toEqual({
      currentUser: { id: userId, email: 'ada@example.com' },
    })
    const hash = await send('POST /utilities/hash', 'api:read', { body: { json: { data: { text: 'abc' } } } })
    expect(hash.status).toBe(201)
    for (const [route, scope] of [
      ['POST /items', 'api:write'],
      ['POST /api-keys', 'account'],
    ] as const)
      expect(refusals(await send(route, scope, { body: { json: {} } }))).toEqual(['400 required /data'])
  })

  it('is judged for the one of several operations that runs', async () => {
    const run = (scopes: string, operationName: string) =>
      askGraphql(server.port, scopes, BOTH, { operationName })
    const needed = async (scopes: string, operationName: string) =>
      /scope="([^"]*)"/.exec(String((await run(scopes, operationName)).headers['www-authenticate']))?.[1]
    expect(graphqlOf(await run('api:read', 'Q')).data).toHaveProperty('currentUser')
    expect(await needed('api:read', 'M')).toBe('api:write')
    expect(await needed('api:read', 'K')).toBe('account')
    expect(await needed('account', 'Q')).toBe('api:read')
  })

  it('comes before the tenant, the media type and the document', async () => {
    for (const [what, scopes] of [
      [QUERY, 'none'],
      [MUTATION, 'api:read'],
      ['no GraphQL', 'none'],
    ] as const)
      await lacking(what, scopes, { headers: FOREIGN })
    const headers = { ...FOREIGN, Accept: 'application/vnd.api+json;a=1', 'Content-Type': 'text/plain' }
    expect(await lacking('POST /items', 'api:read', { headers, body: '{' })).toBe(needs('api:write'))
  })

  it('comes after the route', async () => {
    expect(refusals(await send('GET /nothing', 'none'))).toEqual(['404 no_route_found'])
    expect(refusals(await send('PUT /items', 'none'))).toEqual(['405 method_not_allowed'])
  })

  it.each(['none', 'api:read'])('comes after the budget, with %s', async (scopes) => {
    const spent = (what: string) => send(what, `spent+${scopes}`, { headers: FOREIGN })
    expect(refusals(await spent('GET /items'))).toEqual(['429 rate_limited'])
    for (const query of [QUERY, MUTATION]) expect(codesOf(await spent(query), 429)).toEqual(['rate_limited'])
    const { data } = graphqlOf(await spent(`{ hash(text: "x") { result ${ERRORS} } }`))
    expect(outcome.parse(data?.hash)).toMatchObject({ result: null, errors: [{ code: 'rate_limited' }] })
  })
})
