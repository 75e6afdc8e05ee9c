// Budgets of the GraphQL surface: over budget is 429, but utilities say so themselves.
import { expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { ERRORS, fieldValue, outcome } from './ask_field.ts'
import { askGraphql, codesOf, graphqlOf } from './ask_graphql.ts'

const app = testApp({ limits: { LIMIT_CALLER_PER_MINUTE: 2, LIMIT_ADDRESS_PER_MINUTE: 1_000_000 } })

it('a spent budget is 429 with an errors body, and rate_limited within each utility', async () => {
  const query = '{ latestBeacon { id } }'
  const send = (text: unknown) => askGraphql(app.port, app.owner.key, text)
  const first = await send(query)
  expect(first.headers.ratelimit).toBeDefined()
  for (let spent = false; !spent; ) spent = (await send(query)).status === 429
  const refused = await send(query)
  expect(graphqlOf(refused, 429).errors?.[0]?.extensions).toMatchObject({
    code: 'rate_limited',
    meta: { limit: 2, retry_after_ms: expect.any(Number) },
  })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  for (const text of [
    '{',
    '',
    5,
    '{ hash { result } latestBeacon { id } }',
    '{ __typename }',
    'mutation { x }',
  ])
    expect(codesOf(await send(text), 429)).toEqual(['rate_limited'])
  expect(codesOf(await ask(app.port, '/gql', { method: 'PUT', key: app.owner.key }), 429)).toEqual([
    'rate_limited',
  ])
  const utility = `{ hash(text: "x") { result ${ERRORS} } ...More } fragment More on RootQueryType { serverTime { result ${ERRORS} } }`
  const { data } = graphqlOf(await send(utility))
  for (const name of ['hash', 'serverTime']) {
    const told = outcome.parse(data?.[name])
    expect(told.result).toBeNull()
    expect(told.errors).toMatchObject([{ code: 'rate_limited', vars: { limit: 2 } }])
  }
  // To find out that a large body asks for utilities alone would be the work that there is no budget for.
  const large = await send(`{ hash(text: "${'x'.repeat(20_000)}") { result ${ERRORS} } }`)
  expect([codesOf(large, 429), large.headers.connection]).toEqual([['rate_limited'], 'close'])
  // Another caller has a budget of its own.
  const other = await app.account('eve')
  await fieldValue(app.port, other.key, outcome, `{ hash(text: "x") { result ${ERRORS} } }`)
})
