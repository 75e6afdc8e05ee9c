// What Idempotency-Key stands for: one account, one item however many ask at once, for 24 hours, and nothing that
// redaction would miss. What it answers is in test/parity/idempotency.test.ts. And batches of items.
import { beforeAll, describe, expect, it } from 'vitest'
import type { TestAccount } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { type ErrorEntry, errorEntry, errorsOf, refusals, resourceOf } from './documents.ts'
import { changeBody, claimsOf, itemBody } from './item_documents.ts'

const app = testApp()
let other: TestAccount
beforeAll(async () => {
  other = await app.account('grace')
})

const create = (key: string, attributes: object = {}, by = app.owner) =>
  ask(app.port, '/api/json/items', {
    key: by.key,
    headers: { 'Idempotency-Key': key },
    body: itemBody(attributes),
  })
const batch = (items: unknown, by = app.owner, tenant = by.teamId) =>
  ask(app.port, '/api/json/items/batch', {
    key: by.key,
    headers: { tenant },
    body: { json: { data: { items } } },
  })
const { name: _, ...NAMELESS } = claimsOf('')
const count = async () => (await app.query<{ n: number }>('SELECT count(*)::int AS n FROM items'))[0]?.n ?? 0

describe('Idempotency-Key', () => {
  it('belongs to one account', async () => {
    const mine = resourceOf(await create('shared'), 201)
    const theirs = resourceOf(await create('shared', {}, other), 201)
    expect(theirs.id).not.toBe(mine.id)
    expect(theirs.attributes.creator_id).toBe(other.userId)
  })

  it('makes one item of many requests at once', async () => {
    const before = await count()
    const answers = await Promise.all(Array.from({ length: 12 }, () => create('at once')))
    expect(new Set(answers.map((answer) => resourceOf(answer, 201).id)).size).toBe(1)
    expect(await count()).toBe(before + 1)
  })

  it('of a request that was refused does not stand in the way of a good one', async () => {
    expect(refusals(await create('refused', { claims: NAMELESS }))).toEqual([
      '400 required /data/attributes/claims/name',
    ])
    resourceOf(await create('refused'), 201)
  })

  it('of a request that came too late says so each time', async () => {
    const late = { expires_at: '2001-01-01T00:00:00Z' }
    for (let n = 0; n < 2; n += 1)
      expect(refusals(await create('late', late))).toEqual([
        '400 invalid_attribute /data/attributes/expires_at',
      ])
  })

  it('is forgotten after 24 hours', async () => {
    const first = resourceOf(await create('old'), 201)
    await app.query(
      `UPDATE idempotency_keys SET inserted_at = inserted_at - interval '24 hours' WHERE key = 'old'`,
    )
    expect(resourceOf(await create('old', { tags: ['new'] }), 201).id).not.toBe(first.id)
  })

  it('answers without claims once they are erased, and never stored any', async () => {
    const secret = { claims: claimsOf('Never to be kept') }
    const { id } = resourceOf(await create('erased', secret), 201)
    const kept = await app.query<{ row: string }>('SELECT k::text AS row FROM idempotency_keys AS k')
    for (const { row } of kept) expect(row).not.toContain('Never to be kept')
    await ask(app.port, `/api/json/items/${id}`, {
      key: app.owner.key,
      method: 'PATCH',
      body: changeBody({ redacted: true }),
    })
    expect(resourceOf(await create('erased', secret), 201)).toMatchObject({
      id,
      attributes: { claims: null, state: 'redacted' },
    })
  })

  it('is recorded if and only if the item is', async () => {
    await app.query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$`)
    await app.query(
      `CREATE TRIGGER fail BEFORE UPDATE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION fail()`,
    )
    const before = await count()
    expect(refusals(await create('crash'))).toEqual(['500 internal'])
    expect(await count()).toBe(before)
    expect(await app.query(`SELECT 1 FROM idempotency_keys WHERE key = 'crash'`)).toEqual([])
    await app.query('DROP TRIGGER fail ON idempotency_keys')
    resourceOf(await create('crash'), 201)
    expect(await count()).toBe(before + 1)
  })
})

describe('POST items/batch', () => {
  const good = (n: number) => ({ claims: claimsOf(`file ${n}`) })
  const many = (size: number) => Array.from({ length: size }, (_, n) => good(n))
  const resultsOf = (answer: Awaited<ReturnType<typeof batch>>) => {
    expect(answer.status, answer.text).toBe(201)
    const { result } = answer.json() as {
      result: { items: ({ id: string } | { errors: ErrorEntry[] })[] }
    }
    return result.items
  }

  it('records the good and names the mistakes of the bad, each in its place', async () => {
    const before = await count()
    const answer = await batch([
      good(1),
      { claims: NAMELESS },
      { ...good(2), visibility: 'public', tags: ['a', 'b'] },
      'no object',
      null,
      { ...good(3), tags: ['a', 'a'], colour: 1 },
      { ...good(4), expires_at: '2001-01-01T00:00:00Z' },
      { claims: { ...claimsOf('x'), hash: 'AB'.repeat(32) } },
      {},
      good(5),
    ])
    const results = resultsOf(answer)
    const codes = results.map((one) =>
      'id' in one
        ? 'id'
        : one.errors.map(({ code, source }) => [code, ...Object.values(source ?? {})].join(' ')),
    )
    expect(codes).toEqual([
      'id',
      ['required /data/items/1/claims/name'],
      'id',
      ['invalid_argument /data/items/3'],
      ['invalid_argument /data/items/4'],
      ['invalid_attribute /data/items/5/tags/1', 'invalid_body /data/items/5/colour'],
      ['invalid_attribute /data/items/6/expires_at'],
      ['invalid_attribute /data/items/7/claims/hash'],
      ['required /data/items/8/claims'],
      'id',
    ])
    const errors = results.flatMap((one) => ('errors' in one ? one.errors : []))
    for (const one of errors) expect(errorEntry.parse(one).status).toBe('400')
    expect(new Set(errors.map(({ id }) => id)).size).toBe(errors.length)
    expect(errors[0]?.id).toBe(answer.headers['x-request-id'])
    expect(await count()).toBe(before + 3)
    const [, , third] = results
    const shown = await ask(app.port, `/api/json/items/${third && 'id' in third ? third.id : ''}`, {
      key: app.owner.key,
    })
    expect(resourceOf(shown).attributes).toMatchObject({
      visibility: 'public',
      tags: ['a', 'b'],
      display_name: 'file 2',
    })
  })

  it('takes 1 to 250 entries', async () => {
    const before = await count()
    for (const size of [1, 250]) expect(resultsOf(await batch(many(size)))).toHaveLength(size)
    expect(await count()).toBe(before + 251)
    for (const items of [[], many(251), 'x', {}, null])
      expect(refusals(await batch(items))).toEqual([
        `400 ${items === null ? 'required' : 'invalid_argument'} /data/items`,
      ])
    expect(await count()).toBe(before + 251)
  })

  it('names the maximum in meta', async () => {
    expect(errorsOf(await batch(many(251))).map(({ meta }) => meta)).toEqual([{ maximum: 250 }])
  })

  it('refuses a viewer, whatever the entries are', async () => {
    const team = await app.team(app.owner)
    await app.join(team, other.userId, 'viewer')
    for (const items of [[good(1)], [{ claims: NAMELESS }], [good(1), 'x']])
      expect(refusals(await batch(items, other, team))).toEqual(['403 forbidden'])
  })
})
