// 403: what a credential's scopes do not cover, with an empty body, before anything runs. Which scope each root field
// needs is in test/conformance/credentials.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp } from '../../support/test_app.ts'
import { openScopedServer, type ScopedServer } from '../http/scoped_server.ts'
import { ERRORS, outcome } from './ask_field.ts'
import { askGraphql, codesOf, graphqlOf } from './ask_graphql.ts'

const app = testApp()
let server: ScopedServer
beforeAll(async () => {
  server = await openScopedServer(app)
})
afterAll(async () => {
  server.close()
})

const QUERY = '{ currentUser { id email } }'
const MUTATION = 'mutation { redactItem(id: "x") { errors { code } } }'
const KEY = 'destroyApiKey(id: "x") { errors { code } }'
const BOTH = `query Q ${QUERY} ${MUTATION.replace('mutation', 'mutation M')} mutation K { ${KEY} }`
const FOREIGN = { tenant: '01a2ce8e-9320-7630-bb7f-73edc8868b1d' }
const METADATA = 'resource_metadata="http://x/.well-known/oauth-protected-resource"'

it.each([
  ['none', QUERY, 'api:read'],
  ['none', MUTATION, 'api:write'],
  ['none', '{', 'api:read'],
  ['api:read', MUTATION, 'api:write'],
  ['api:read', 'mutation { nothing }', 'api:write'],
  ['account', QUERY, 'api:read'],
  ['account', MUTATION, 'api:write'],
  ['api:write', `mutation { ${KEY} }`, 'account'],
  ['api:write', `mutation { ...on RootMutationType { a: ${KEY} } }`, 'account'],
  ['api:write', `mutation { ...F } fragment F on RootMutationType { a: ${KEY} }`, 'account'],
  ['api:write', `mutation { ${KEY.replace('{', '@skip(if: true) {')} }`, 'account'],
  ['account', `mutation { ${KEY} redactItem(id: "x") { errors { code } } }`, 'account api:write'],
])('with %s, %s needs %s', async (scopes, query, scope) => {
  const answer = await askGraphql(server.port, scopes, query)
  expect([answer.status, answer.text]).toEqual([403, ''])
  expect(answer.headers['www-authenticate']).toBe(
    `Bearer error="insufficient_scope", scope="${scope}", ${METADATA}`,
  )
})

it('of several operations, the one that runs is judged', async () => {
  const run = (scopes: string, operationName: string) =>
    askGraphql(server.port, scopes, BOTH, { operationName })
  const needed = async (scopes: string, operationName: string) =>
    /scope="([^"]*)"/.exec(String((await run(scopes, operationName)).headers['www-authenticate']))?.[1]
  expect(graphqlOf(await run('api:read', 'Q')).data).toHaveProperty('currentUser')
  expect(await needed('api:read', 'M')).toBe('api:write')
  expect(await needed('api:read', 'K')).toBe('account')
  expect(await needed('account', 'Q')).toBe('api:read')
})

it('queries need api:read alone', async () => {
  const answer = await askGraphql(server.port, 'api:read', QUERY)
  expect(graphqlOf(answer).data).toEqual({ currentUser: { id: app.owner.userId, email: 'ada@example.com' } })
})

it.each([
  ['none', QUERY],
  ['api:read', MUTATION],
  ['none', 'no GraphQL'],
])('comes before the tenant: with %s, %s', async (scopes, query) => {
  const { status, text } = await askGraphql(server.port, scopes, query, { headers: FOREIGN })
  expect([status, text]).toEqual([403, ''])
})

it.each(['none', 'api:read'])('comes after the budget, for %s', async (scopes) => {
  const ask = (query: string) => askGraphql(server.port, `spent+${scopes}`, query, { headers: FOREIGN })
  for (const query of [QUERY, MUTATION]) expect(codesOf(await ask(query), 429)).toEqual(['rate_limited'])
  const { data } = graphqlOf(await ask(`{ hash(text: "x") { result ${ERRORS} } }`))
  expect(outcome.parse(data?.hash)).toMatchObject({ result: null, errors: [{ code: 'rate_limited' }] })
})
