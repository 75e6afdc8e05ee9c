// What a request weighs beyond one is drawn from the caller's work budget: after it was read, before anything is done.
import { afterEach, describe, expect, it } from 'vitest'
import { AMPLE, openTestApp, type TestAccount, type TestApp } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { askGraphql, codesOf, graphqlOf } from '../graphql/ask_graphql.ts'
import { errorsOf, refusals } from './documents.ts'
import { claimsOf } from './item_documents.ts'

let app: TestApp
afterEach(() => app.close())

const open = async (units: number): Promise<void> => {
  app = await openTestApp({ limits: { ...AMPLE, LIMIT_CALLER_WORK_PER_MINUTE: units } })
}
const items = (count: number, parts: object = {}) =>
  Array.from({ length: count }, () => ({ claims: { ...claimsOf('a file'), ...parts } }))
const batch = (sent: unknown, by: TestAccount = app.owner, headers: Record<string, string> = {}) =>
  ask(app.port, '/api/json/items/batch', { key: by.key, headers, body: { json: { data: { items: sent } } } })
const made = async () => (await app.query<{ n: number }>('SELECT count(*)::int AS n FROM items'))[0]?.n

describe('the work budget', () => {
  it('takes one unit per started 25 items of a batch, less the one of its request', async () => {
    await open(10)
    // 25 items are one unit; 250 are ten.
    for (let sent = 0; sent < 12; sent += 1) expect((await batch(items(25))).status).toBe(201)
    expect((await batch(items(250))).status).toBe(201)
    const before = await made()
    const refused = await batch(items(250))
    expect(refusals(refused)).toEqual(['429 rate_limited'])
    const [entry] = errorsOf(refused)
    expect(entry?.meta).toEqual({ retry_after_ms: expect.any(Number), limit: 10 })
    const seconds = Math.ceil(Number(entry?.meta.retry_after_ms) / 1_000)
    expect(refused.headers).toMatchObject({
      'retry-after': String(seconds),
      'ratelimit-policy': '"caller_work";q=10;w=60',
      ratelimit: `"caller_work";r=0;t=${seconds}`,
    })
    expect(await made()).toBe(before)
    // What weighs one is not charged, and another caller has a budget of its own.
    expect((await batch(items(25))).status).toBe(201)
    expect((await batch(items(250), await app.account('grace'))).status).toBe(201)
  })

  it('takes one unit per started 64 KiB of canonical claims of all items together', async () => {
    await open(3)
    const large = { metadata: { t: 'x'.repeat(30_000) } }
    // 5 of 30 KB are three units: two beyond the request's.
    expect((await batch(items(5, large))).status).toBe(201)
    expect(refusals(await batch(items(5, large)))).toEqual(['429 rate_limited'])
    // 4 are two units: one is left.
    expect((await batch(items(4, large))).status).toBe(201)
  })

  it('admits what weighs more than the whole budget when it is full, and nothing more for a while', async () => {
    await open(4)
    expect((await batch(items(250))).status).toBe(201)
    expect(refusals(await batch(items(26)))).toEqual(['429 rate_limited'])
  })

  it('is not charged for what is refused before the work', async () => {
    await open(9)
    expect(refusals(await batch(items(251)))).toEqual(['400 invalid_argument /data/items'])
    expect((await batch(items(250))).status).toBe(201)
  })

  it('a refused batch with an Idempotency-Key is not done, and the key is as good as new', async () => {
    await open(9)
    const key = { 'Idempotency-Key': 'one' }
    const before = await made()
    expect((await batch(items(250))).status).toBe(201)
    expect(refusals(await batch(items(250), app.owner, key))).toEqual(['429 rate_limited'])
    expect(await made()).toBe(Number(before) + 250)
    expect((await batch(items(1), app.owner, key)).status).toBe(201)
  })
})

describe('the work budget on GraphQL', () => {
  const many = (count: number, field: string) =>
    Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')
  const send = (query: string, variables: object = {}) =>
    askGraphql(app.port, app.owner.key, query, { variables })

  it('takes one unit per root field beyond ten', async () => {
    await open(20)
    for (let sent = 0; sent < 3; sent += 1)
      expect(graphqlOf(await send(`{ ${many(10, 'latestBeacon { id }')} }`)).errors).toBeUndefined()
    expect(graphqlOf(await send(`{ ${many(30, 'latestBeacon { id }')} }`)).errors).toBeUndefined()
    const refused = await send(`{ ...F } fragment F on RootQueryType { ${many(30, 'latestBeacon { id }')} }`)
    expect(graphqlOf(refused, 429).errors?.[0]?.extensions).toMatchObject({
      code: 'rate_limited',
      meta: { limit: 20, retry_after_ms: expect.any(Number) },
    })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.headers['ratelimit-policy']).toBe('"caller_work";q=20;w=60')
  })

  it('takes one unit per root list beyond the first', async () => {
    await open(4)
    const lists = '{ beacons { id } listItems(first: 1) { count } listBlocks { count } listTeams { count } }'
    expect(graphqlOf(await send(lists)).errors).toBeUndefined()
    expect(codesOf(await send(lists), 429)).toEqual(['rate_limited'])
    expect(
      graphqlOf(await send('{ listItems(first: 1) { count } latestBeacon { id } }')).errors,
    ).toBeUndefined()
  })

  it('takes what every submission of a mutation weighs, before any of them is done', async () => {
    await open(12)
    const before = await made()
    const one = { claims: JSON.stringify(claimsOf('a file')) }
    const creates = `mutation ($one: CreateItemInput!) { ${many(10, 'createItem(input: $one) { result { id } errors { code } }')} }`
    expect(graphqlOf(await send(creates, { one })).errors).toBeUndefined()
    expect(await made()).toBe(Number(before) + 10)
    expect(codesOf(await send(creates, { one }), 429)).toEqual(['rate_limited'])
    const all = JSON.stringify(items(50))
    const batches = `mutation ($all: JsonString) { ${many(3, 'createItems(items: $all) { errors { code } }')} }`
    expect(codesOf(await send(batches, { all }), 429)).toEqual(['rate_limited'])
    expect(await made()).toBe(Number(before) + 10)
    expect(
      graphqlOf(
        await send('mutation ($one: CreateItemInput!) { createItem(input: $one) { result { id } } }', {
          one,
        }),
      ).errors,
    ).toBeUndefined()
  })

  it('is one budget for both surfaces', async () => {
    await open(9)
    expect((await batch(items(250))).status).toBe(201)
    expect(codesOf(await send(`{ ${many(11, 'latestBeacon { id }')} }`), 429)).toEqual(['rate_limited'])
  })

  it('is told by utilities themselves', async () => {
    await open(1)
    const query = `{ ${many(30, 'hash(text: "x") { result errors { code } }')} }`
    expect(graphqlOf(await send(query)).data?.a0).toMatchObject({ errors: [] })
    const { data } = graphqlOf(await send(query))
    for (const told of Object.values(data ?? {}))
      expect(told).toEqual({ result: null, errors: [{ code: 'rate_limited' }] })
  })
})
