// What a plan allows in a day, at the door: refused whole, with the number and when it resets; replays and refusals are free.
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestAccount, type TestApp } from '../../support/app.ts'
import { ask, eventually } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { askGraphql, graphqlOf } from '../graphql/ask_graphql.ts'
import { errorsOf, refusals, resourceOf } from './documents.ts'
import { claimsOf, itemBody } from './item_documents.ts'

const app = testApp()
let beside: TestApp
beforeAll(async () => {
  beside = await openTestApp({ beside: app })
})
afterAll(async () => {
  await beside.close()
})

/** An account of the plan `free` with so many items and bytes used up today. */
const poor = async (name: string, items = 0, bytes = 0): Promise<TestAccount> => {
  const made = await app.account(name)
  await app.query(`UPDATE users SET plan = 'free' WHERE id = $1`, [made.userId])
  await app.query(
    `INSERT INTO daily_submissions VALUES ((pharos_now() AT TIME ZONE 'UTC')::date, $1, $2, $3)`,
    [made.userId, items, bytes],
  )
  for (const port of [app.port, beside.port])
    await eventually(async () => {
      const { text } = await ask(port, '/api/json/users/me', { key: made.key })
      return text.includes('"plan":"free"') ? true : undefined
    })
  return made
}
const create = (
  by: TestAccount,
  headers: Record<string, string> = {},
  port = app.port,
  attributes: object = {},
) => ask(port, '/api/json/items', { key: by.key, headers, body: itemBody(attributes) })
const batch = (by: TestAccount, count: number, headers: Record<string, string> = {}, port = app.port) =>
  ask(port, '/api/json/items/batch', {
    key: by.key,
    headers,
    body: {
      json: { data: { items: Array.from({ length: count }, () => ({ claims: claimsOf('a file') })) } },
    },
  })
const madeBy = async ({ userId }: TestAccount) =>
  (await app.query<{ n: number }>('SELECT count(*)::int AS n FROM items WHERE creator_id = $1', [userId]))[0]
    ?.n
const countedOf = async ({ userId }: TestAccount) =>
  (
    await app.query<{ n: number }>('SELECT items::int AS n FROM daily_submissions WHERE creator_id = $1', [
      userId,
    ])
  )[0]?.n

it('an item beyond the day is 403 plan_limit with meta.limit and meta.resets_at', async () => {
  const someone = await poor('one', 999)
  expect((await create(someone)).status).toBe(201)
  const refused = await create(someone)
  expect(refusals(refused)).toEqual(['403 plan_limit'])
  const [entry] = errorsOf(refused)
  expect(entry?.meta).toEqual({
    limit: 1_000,
    unit: 'items',
    resets_at: expect.stringMatching(/T00:00:00\.000Z$/),
  })
  expect(Date.parse(String(entry?.meta.resets_at))).toBeGreaterThan(Date.now())
  expect(await madeBy(someone)).toBe(1)
  const input = { claims: JSON.stringify(claimsOf('a file')) }
  const query =
    'mutation ($input: CreateItemInput!) { createItem(input: $input) { result { id } errors { code vars } } }'
  const { data } = graphqlOf(await askGraphql(app.port, someone.key, query, { variables: { input } }))
  expect(data?.createItem).toMatchObject({ result: null, errors: [{ code: 'plan_limit' }] })
})

it('bytes of claims count as they are stored', async () => {
  const someone = await poor('two', 0, 16 * 1_048_576 - 40_000)
  const claims = { ...claimsOf('a file'), metadata: { t: 'x'.repeat(30_000) } }
  expect((await create(someone, {}, app.port, { claims })).status).toBe(201)
  const refused = await create(someone, {}, app.port, { claims })
  expect(errorsOf(refused)[0]).toMatchObject({
    code: 'plan_limit',
    meta: { limit: 16_777_216, unit: 'bytes' },
  })
  expect((await create(someone)).status).toBe(201)
})

it('a batch beyond the day is refused whole, and what is left is still there', async () => {
  const someone = await poor('three', 990)
  expect(refusals(await batch(someone, 11))).toEqual(['403 plan_limit'])
  expect(await madeBy(someone)).toBe(0)
  expect((await batch(someone, 10)).status).toBe(201)
  expect(refusals(await create(someone))).toEqual(['403 plan_limit'])
})

it('what is sent to two servers at once makes exactly as many items as the day has', async () => {
  const someone = await poor('four', 900)
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => {
      const { port } = index % 2 === 0 ? app : beside
      return index % 3 === 0 ? batch(someone, 7, {}, port) : create(someone, {}, port)
    }),
  )
  for (const { status } of answers) expect([201, 403]).toContain(status)
  const left = 1_000 - Number(await countedOf(someone))
  for (let extra = 0; extra < left; extra += 1) expect((await create(someone)).status).toBe(201)
  expect(refusals(await create(someone))).toEqual(['403 plan_limit'])
  expect(await madeBy(someone)).toBe(100)
  // Neighbours in the same groups lost nothing.
  expect((await create(app.owner)).status).toBe(201)
})

it('a replay is free, also when nothing is left; the same key twice at once is charged once', async () => {
  const someone = await poor('five', 990)
  const key = { 'Idempotency-Key': 'again' }
  const [first, second] = await Promise.all([batch(someone, 10, key), batch(someone, 10, key, beside.port)])
  // The one that came second waits for the first and answers the same, whichever took the last of the day.
  expect(first.status).toBe(201)
  expect(first.json()).toEqual(second.json())
  expect(await countedOf(someone)).toBe(1_000)
  expect(refusals(await create(someone))).toEqual(['403 plan_limit'])
  expect((await batch(someone, 10, key)).json()).toEqual(first.json())
  expect(await countedOf(someone)).toBe(1_000)
  expect(await madeBy(someone)).toBe(10)
  // A key that was refused is as good as new.
  expect(refusals(await create(someone, { 'Idempotency-Key': 'later' }))).toEqual(['403 plan_limit'])
  await app.query('UPDATE daily_submissions SET items = 0 WHERE creator_id = $1', [someone.userId])
  resourceOf(await create(someone, { 'Idempotency-Key': 'later' }), 201)
})

/** While `during` runs, the key is in the hands of somebody who is not done with it and never will be. */
async function whileKeyIsHeld(
  { userId }: TestAccount,
  key: string,
  during: (waiting: (count: number) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const holder = new Client({ connectionString: app.database.url })
  await holder.connect()
  try {
    await holder.query('BEGIN')
    await holder.query(
      `INSERT INTO idempotency_keys (user_id, key, request_hash, outcome) VALUES ($1, $2, sha256('none'), '')
       ON CONFLICT (user_id, key) DO UPDATE SET outcome = idempotency_keys.outcome`,
      [userId, key],
    )
    await during((count) =>
      eventually(async () => {
        const held = await app.query(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%idempotency_keys%'
              AND datname = current_database()`,
        )
        return held.length === count ? true : undefined
      }),
    )
    await holder.query('ROLLBACK')
  } finally {
    await holder.end()
  }
}

it('a request that waits for its key holds nothing of the day: others get what is left, and it is judged when its turn comes', async () => {
  const someone = await poor('waits', 1_000)
  const key = (name: string) => ({ 'Idempotency-Key': name })
  const setUsed = (items: number) =>
    app.query('UPDATE daily_submissions SET items = $2 WHERE creator_id = $1', [someone.userId, items])
  let early: ReturnType<typeof batch> | undefined
  let other: ReturnType<typeof batch> | undefined
  await whileKeyIsHeld(someone, 'early', async (waiting) => {
    early = batch(someone, 10, key('early'))
    await waiting(1)
    await setUsed(990)
  })
  expect((await early)?.status).toBe(201)
  expect(await countedOf(someone)).toBe(1_000)

  await setUsed(990)
  await whileKeyIsHeld(someone, 'late', async (waiting) => {
    const late = [batch(someone, 10, key('late')), batch(someone, 10, key('late'), beside.port)]
    await waiting(2)
    expect((await batch(someone, 10)).status).toBe(201)
    early = late[0]
    other = late[1]
  })
  expect([(await early)?.status, (await other)?.status]).toEqual([403, 403])

  await setUsed(990)
  await whileKeyIsHeld(someone, 'early', async (waiting) => {
    early = batch(someone, 10, key('early'), beside.port)
    await waiting(1)
    expect((await batch(someone, 10)).status).toBe(201)
  })
  expect((await early)?.status).toBe(201)
  expect(await countedOf(someone)).toBe(1_000)
})

it('the same key at two servers at once, at the cap, beside others: one answer, made once, and the day is exact', async () => {
  const someone = await poor('rounds')
  for (let round = 0; round < 25; round += 1) {
    await app.query('UPDATE daily_submissions SET items = 990 WHERE creator_id = $1', [someone.userId])
    const before = Number(await madeBy(someone))
    const key = { 'Idempotency-Key': `round ${round}` }
    const [first, second, ordinary, other] = await Promise.all([
      batch(someone, 10, key),
      batch(someone, 10, key, beside.port),
      create(someone),
      create(someone, { 'Idempotency-Key': `other ${round}` }, beside.port),
    ])
    if (first.status === 201) expect(second.json()).toEqual(first.json())
    else expect([first.status, second.status]).toEqual([403, 403])
    const statuses = [first.status, ordinary.status, other.status]
    for (const status of statuses) expect([201, 403]).toContain(status)
    const made = Number(await madeBy(someone)) - before
    // Either the batch took all that was left, or what came before it left too little.
    expect(made).toBe(first.status === 201 ? 10 : statuses.filter((status) => status === 201).length)
    expect(made).toBeGreaterThan(0)
    expect(await countedOf(someone)).toBe(990 + made)
  }
})

it('what is refused, or fails, is free', async () => {
  const someone = await poor('six', 990)
  expect((await create(someone, {}, app.port, { claims: {} })).status).toBe(400)
  expect((await create(someone, {}, app.port, { expires_at: '2020-01-01T00:00:00.000Z' })).status).toBe(400)
  expect(await countedOf(someone)).toBe(990)
  await app.query(
    `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no''; END'`,
  )
  await app.query('CREATE TRIGGER fail BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION fail()')
  try {
    expect((await create(someone)).status).toBe(500)
    expect((await batch(someone, 3)).status).toBe(500)
    expect((await batch(someone, 3, { 'Idempotency-Key': 'x' })).status).toBe(500)
  } finally {
    await app.query('DROP TRIGGER fail ON items')
  }
  await eventually(async () => ((await countedOf(someone)) === 990 ? true : undefined))
})

it('a plan without a cap is not counted', async () => {
  expect((await create(app.owner)).status).toBe(201)
  expect((await batch(app.owner, 5)).status).toBe(201)
  expect(await countedOf(app.owner)).toBeUndefined()
})
