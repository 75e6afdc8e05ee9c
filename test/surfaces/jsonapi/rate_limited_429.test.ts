// Budgets at the door of the API: who is charged, and what a refusal says. Those of addresses alone are in
// test/parity/address_budget.test.ts.
import { afterEach, describe, expect, it } from 'vitest'
import { accessToken } from '../../support/access_token.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { amidMinute } from '../../support/clock_minute.ts'
import { ask } from '../../support/http.ts'
import { errorsOf, refusals } from './documents.ts'

let app: TestApp
afterEach(() => app.close())

const GENEROUS = 1_000_000

describe('429 rate_limited', () => {
  it('comes when the caller’s budget is spent, with meta and all three header fields', async () => {
    app = await openTestApp({ limits: { LIMIT_CALLER_PER_MINUTE: 5, LIMIT_ADDRESS_PER_MINUTE: GENEROUS } })
    const answers = []
    for (let sent = 0; sent < 7; sent += 1)
      answers.push(await ask(app.port, '/api/json/users/me', { key: app.owner.key }))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429])
    const refused = answers[5]
    if (refused === undefined) throw new Error('no answer')
    expect(refusals(refused)).toEqual(['429 rate_limited'])
    const [entry] = errorsOf(refused)
    expect(entry?.meta).toEqual({ retry_after_ms: expect.any(Number), limit: 5 })
    const seconds = Number(refused.headers['retry-after'])
    expect(seconds).toBe(Math.ceil(Number(entry?.meta.retry_after_ms) / 1_000))
    expect(refused.headers['ratelimit-policy']).toBe('"caller";q=5;w=60')
    expect(refused.headers.ratelimit).toBe(`"caller";r=0;t=${seconds}`)
  })

  it('is not shared between callers, nor between the surfaces, but between the credentials of one caller', async () => {
    app = await openTestApp({ limits: { LIMIT_CALLER_PER_MINUTE: 1, LIMIT_ADDRESS_PER_MINUTE: GENEROUS } })
    const other = await app.account('grace')
    const me = (key: string) => ask(app.port, '/api/json/users/me', { key })
    expect([(await me(app.owner.key)).status, (await me(app.owner.key)).status]).toEqual([200, 429])
    expect((await me(other.key)).status).toBe(200)
    const { token } = await accessToken(app, { userId: other.userId, scopes: ['api:read'] })
    expect((await me(token)).status).toBe(429)
    const graphql = await ask(app.port, '/gql?query={__typename}', { key: app.owner.key })
    expect(graphql.status).toBe(200)
  })

  it('reads the address from X-Forwarded-For only behind a trusted proxy', async () => {
    app = await openTestApp({ limits: { LIMIT_CALLER_PER_MINUTE: GENEROUS, LIMIT_ADDRESS_PER_MINUTE: 1 } })
    const from = (address: string) =>
      ask(app.port, '/api/json/users/me', { key: app.owner.key, headers: { 'X-Forwarded-For': address } })
    await amidMinute()
    expect([(await from('198.51.100.1')).status, (await from('198.51.100.2')).status]).toEqual([200, 429])
  })
})
