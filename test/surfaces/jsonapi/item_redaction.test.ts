// PATCH /api/json/items/:id: redaction, restoration, moving and expiry, alone and together, all or nothing.
import { beforeAll, describe, expect, it } from 'vitest'
import { redactExpired } from '../../../server/domain/ledger/change_item.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import type { TestAccount } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { rows } from '../../support/rows.ts'
import { testApp } from '../../support/test_app.ts'
import { pageOf, type Resource, refusals, resourceOf, withoutIds } from './documents.ts'
import { changeBody, claimsOf, itemBody } from './item_documents.ts'

const app = testApp()
let stranger: TestAccount
let team = ''
beforeAll(async () => {
  stranger = await app.account('mallory')
  team = await app.team(app.owner)
})

const claims = claimsOf('a file')
const create = async (attributes: object = {}, tenant = team): Promise<Resource> =>
  resourceOf(
    await ask(app.port, '/api/json/items', {
      key: app.owner.key,
      headers: { tenant },
      body: itemBody(attributes),
    }),
    201,
  )
const update = (id: string, attributes: object, by = app.owner) =>
  ask(app.port, `/api/json/items/${id}`, { key: by.key, method: 'PATCH', body: changeBody(attributes) })
const read = async (id: string) =>
  resourceOf(await ask(app.port, `/api/json/items/${id}`, { key: app.owner.key }))
const kinds = async (id: string) =>
  (await app.query<{ kind: string }>('SELECT kind FROM facts WHERE subject_id = $1 ORDER BY id', [id])).map(
    ({ kind }) => kind,
  )
const found = async (hash: string) =>
  pageOf(
    await ask(app.port, `/api/json/items?filter[hash]=${hash}`, {
      key: app.owner.key,
      headers: { tenant: team },
    }),
  ).data.map(({ id }) => id)

describe('redacted', () => {
  it('true erases the claims, false with the same claims restores them; the repetition of either tells nobody', async () => {
    const hash = 'cd'.repeat(32)
    const whole = { name: 'N', description: 'D', hash, hash_type: 'sha256' }
    const before = await create({ claims: whole, tags: ['t'] })
    expect(await found(hash)).toEqual([before.id])
    const gone = resourceOf(await update(before.id, { redacted: true }))
    expect(gone.attributes).toEqual({
      ...before.attributes,
      claims: null,
      hash: null,
      display_name: null,
      display_description: null,
      state: 'redacted',
      redacted_at: expect.any(String),
      updated_at: gone.attributes.updated_at,
    })
    expect(await found(hash)).toEqual([])
    expect(resourceOf(await update(before.id, { redacted: true }))).toEqual(gone)
    const back = resourceOf(await update(before.id, { redacted: false, claims: whole }))
    expect(back.attributes).toEqual({ ...before.attributes, updated_at: back.attributes.updated_at })
    expect(resourceOf(await update(before.id, { redacted: false, claims: whole }))).toEqual(back)
    expect(await found(hash)).toEqual([before.id])
    expect(await kinds(before.id)).toEqual(['item.created', 'item.redacted', 'item.unredacted'])
  })

  it.each([
    [{ redacted: false }, '400 required /data/attributes/claims'],
    [{ redacted: true, claims }, '400 invalid_attribute /data/attributes/claims'],
    [{ claims }, '400 invalid_attribute /data/attributes/claims'],
    [{ redacted: null }, '400 invalid_attribute /data/attributes/redacted'],
    [{ redacted: 'true' }, '400 invalid_attribute /data/attributes/redacted'],
    [
      { redacted: false, claims: { ...claims, name: 'other' } },
      '400 invalid_argument /data/attributes/claims',
    ],
    [
      { redacted: false, claims: { ...claims, metadata: {} } },
      '400 invalid_argument /data/attributes/claims',
    ],
  ])('%j is refused, and changes nothing', async (attributes, told) => {
    const { id } = await create()
    const redacted = resourceOf(await update(id, { redacted: true }))
    expect(refusals(await update(id, { ...attributes, tags: ['x'], visibility: 'public' }))).toEqual([told])
    expect(await read(id)).toEqual(redacted)
    expect(await kinds(id)).toEqual(['item.created', 'item.redacted'])
  })

  it('comes together with everything else that changes', async () => {
    const { id } = await create()
    const later = new Date(Date.now() + 86_400_000).toISOString()
    const changed = resourceOf(
      await update(id, {
        redacted: true,
        tags: ['a'],
        visibility: 'public',
        expires_at: later,
        team_id: app.owner.teamId,
      }),
    )
    expect(changed.attributes).toMatchObject({
      state: 'redacted',
      tags: ['a'],
      visibility: 'public',
      expires_at: later,
      team_id: app.owner.teamId,
    })
  })

  it('leaves no claims in any row but the item’s own, and none there once erased', async () => {
    const secret = 'A secret that must not stay'
    const { id } = await create({ claims: claimsOf(secret) })
    await update(id, { redacted: true })
    const tables = await app.query<{ name: string }>(
      `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    )
    for (const { name } of tables)
      expect([
        name,
        await app.query(`SELECT 1 FROM ${name} AS t WHERE t::text LIKE $1`, [`%${secret}%`]),
      ]).toEqual([name, []])
  })
})

describe('team_id', () => {
  it('moves an item to a team where the caller may write', async () => {
    const { id } = await create()
    expect(resourceOf(await update(id, { team_id: app.owner.teamId })).attributes.team_id).toBe(
      app.owner.teamId,
    )
    expect(await kinds(id)).toEqual(['item.created'])
  })

  it('refuses a foreign team, an unknown one and one where the caller only reads, with one and the same words', async () => {
    const { id } = await create()
    const shown = await app.team(stranger)
    await app.join(shown, app.owner.userId, 'viewer')
    const answers = []
    for (const teamId of [stranger.teamId, '01a2ce8e-9320-7630-bb7f-73edc8868b1d', shown])
      answers.push(await update(id, { team_id: teamId, visibility: 'public' }))
    for (const answer of answers) {
      expect(refusals(answer)).toEqual(['400 invalid_attribute /data/attributes/team_id'])
      expect(withoutIds(answer)).toEqual(withoutIds(answers[0] ?? answer))
    }
    expect(refusals(await update(id, { team_id: 'x' }))).toEqual([
      '400 invalid_attribute /data/attributes/team_id',
    ])
    expect((await read(id)).attributes).toMatchObject({ team_id: team, visibility: 'private' })
  })
})

describe('expires_at', () => {
  it.each([
    '2001-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    'tomorrow',
    '2030-01-01',
    1_900_000_000,
  ])('refuses %s on create and on update', async (expires_at) => {
    const { id } = await create()
    const told = ['400 invalid_attribute /data/attributes/expires_at']
    expect(refusals(await update(id, { expires_at }))).toEqual(told)
    expect(
      refusals(
        await ask(app.port, '/api/json/items', { key: app.owner.key, body: itemBody({ expires_at }) }),
      ),
    ).toEqual(told)
    expect((await read(id)).attributes.expires_at).toBeNull()
  })

  it('is kept to the millisecond, in UTC, and taken away by null', async () => {
    const { id } = await create({ expires_at: '9999-12-31T23:59:59.999Z' })
    expect((await read(id)).attributes.expires_at).toBe('9999-12-31T23:59:59.999Z')
    expect(
      resourceOf(await update(id, { expires_at: '2040-01-01T00:00:00.1239+01:00' })).attributes.expires_at,
    ).toBe('2039-12-31T23:00:00.123Z')
    expect(resourceOf(await update(id, { expires_at: null })).attributes.expires_at).toBeNull()
  })

  it('erases the claims when it has come, once, in bounded steps', async () => {
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) ids.push((await create({ expires_at: '2040-01-01T00:00:00Z' })).id)
    const { id: other } = await create({ expires_at: '2041-01-01T00:00:00Z' })
    const em = app.store.em()
    // In one transaction, so that the service's own turn does not come in between.
    const erased = await inTransaction(em, async (tx) => {
      await rows(tx, 'UPDATE items SET expires_at = pharos_now() WHERE id = ANY($1::text[])', [ids])
      return [await redactExpired(tx, 2), await redactExpired(tx, 2), await redactExpired(tx, 2)]
    })
    expect(erased).toEqual([2, 1, 0])
    for (const id of ids) {
      expect((await read(id)).attributes).toMatchObject({ state: 'redacted', claims: null })
      expect(await kinds(id)).toEqual(['item.created', 'item.redacted'])
    }
    expect((await read(other)).attributes.state).toBe('created')
    const back = resourceOf(await update(ids[0] ?? '', { redacted: false, claims }))
    expect(back.attributes).toMatchObject({ state: 'created', expires_at: null })
    expect(await redactExpired(em, 2)).toBe(0)
  })
})

describe('deletion', () => {
  it('is not published here', async () => {
    const { id } = await create()
    const answer = await ask(app.port, `/api/json/items/${id}`, { key: app.owner.key, method: 'DELETE' })
    expect(refusals(answer)).toEqual(['405 method_not_allowed'])
    expect(answer.headers.allow).toBe('GET, HEAD, PATCH')
  })
})
