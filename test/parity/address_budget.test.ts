// The budgets of an address, the same over JSON:API, GraphQL and the tools: who is charged when, and in which order.
import { afterEach, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../support/app.ts'
import { amidMinute } from '../support/clock_minute.ts'
import { type Answer, type Ask, ask } from '../support/http.ts'

let app: TestApp
afterEach(() => app.close())

const GENEROUS = 1_000_000
const JSON_TYPE = { 'Content-Type': 'application/json', Accept: '*/*' }
const PING = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

/** Some request. The path of JSON:API is none, because nobody is told so first. */
const surfaces: Record<string, { path: string; some: Ask; budget: string }> = {
  'JSON:API': { path: '/api/json/nothing', some: {}, budget: 'api' },
  GraphQL: { path: '/gql', some: { headers: JSON_TYPE, body: '{}' }, budget: 'graphql' },
  'the tools': { path: '/mcp', some: { headers: JSON_TYPE, body: PING }, budget: 'api' },
}

describe.each(Object.entries(surfaces))('%s', (_, { path, some, budget }) => {
  const send = (key: string, parts: Ask = some): Promise<Answer> => ask(app.port, path, { key, ...parts })

  it('charges whoever has no valid credential to the address, before the 401', async () => {
    app = await openTestApp({ limits: { LIMIT_CALLER_PER_MINUTE: 2, LIMIT_ADDRESS_PER_MINUTE: GENEROUS } })
    const statuses: number[] = []
    for (let sent = 0; sent < 4; sent += 1) statuses.push((await send('nothing')).status)
    expect(statuses).toEqual([401, 401, 429, 429])
  })

  it('charges the address first, in a window of the clock minute, whoever asks and also for a body that is too large', async () => {
    app = await openTestApp({ limits: { LIMIT_CALLER_PER_MINUTE: GENEROUS, LIMIT_ADDRESS_PER_MINUTE: 3 } })
    await amidMinute()
    for (const key of [app.owner.key, 'nothing', app.owner.key])
      expect((await send(key)).status).not.toBe(429)
    const refused = await send(app.owner.key, { method: 'POST', headers: { 'Content-Length': '999999999' } })
    expect(refused.status).toBe(429)
    expect(refused.headers['ratelimit-policy']).toBe('"address";q=3;w=60')
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    // The tools spend the budget of JSON:API, and GraphQL has its own.
    for (const other of Object.values(surfaces)) {
      const { status } = await ask(app.port, other.path, { key: 'nothing', ...other.some })
      expect([other.path, status]).toEqual([other.path, other.budget === budget ? 429 : 401])
    }
  })
})
