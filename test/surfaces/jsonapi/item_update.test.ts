// PATCH /api/json/items/:id: visibility and tags, by whoever may change the item.
import { beforeAll, describe, expect, it } from 'vitest'
import type { TestAccount } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { refusals, resourceOf, withoutIds } from './documents.ts'
import { changeBody, itemBody } from './item_documents.ts'

const app = testApp()
let stranger: TestAccount
beforeAll(async () => {
  stranger = await app.account('mallory')
})

const create = async (attributes: object = {}, by = app.owner, tenant = by.teamId) =>
  resourceOf(
    await ask(app.port, '/api/json/items', {
      key: by.key,
      headers: { tenant },
      body: itemBody(attributes),
    }),
    201,
  )
const update = (id: string, attributes: unknown, parts: object = {}, by = app.owner) =>
  ask(app.port, `/api/json/items/${id}`, {
    key: by.key,
    method: 'PATCH',
    body: changeBody(attributes, parts),
  })

describe('200 of updating an item', () => {
  it('changes visibility and tags, and nothing that was hashed', async () => {
    const before = await create({ tags: ['a'] })
    const after = resourceOf(
      await update(before.id, { visibility: 'public', tags: ['b', 'c'] }, { id: before.id }),
    )
    expect(after.attributes).toEqual({
      ...before.attributes,
      visibility: 'public',
      tags: ['b', 'c'],
      updated_at: after.attributes.updated_at,
    })
    expect(String(after.attributes.updated_at) >= String(before.attributes.updated_at)).toBe(true)
  })

  it('changes only what is named', async () => {
    const { id } = await create({ tags: ['a'], visibility: 'team' })
    expect(resourceOf(await update(id, { tags: [] })).attributes).toMatchObject({
      tags: [],
      visibility: 'team',
    })
    expect(resourceOf(await update(id, { visibility: 'private' })).attributes).toMatchObject({ tags: [] })
  })

  it('writes nothing when the item is already so', async () => {
    const before = await create({ tags: ['a'], visibility: 'team' })
    const [facts] = await app.query<{ n: number }>('SELECT count(*)::int AS n FROM facts')
    for (const attributes of [{}, { tags: ['a'] }, { visibility: 'team', tags: ['a'] }, undefined])
      expect(resourceOf(await update(before.id, attributes))).toEqual(before)
    expect(await app.query('SELECT count(*)::int AS n FROM facts')).toEqual([facts])
  })

  it('is answered to an admin of a retaining team who has just made the item private', async () => {
    const admin = await app.account('grace')
    const team = await app.team(app.owner, 'team_retains')
    await app.join(team, admin.userId, 'admin')
    const { id } = await create({ visibility: 'team' }, app.owner, team)
    expect(resourceOf(await update(id, { visibility: 'private' }, {}, admin)).attributes.visibility).toBe(
      'private',
    )
  })
})

describe('400 and 409 of updating an item', () => {
  it('refuses attributes it does not take, claims among them', async () => {
    const { id } = await create()
    expect(refusals(await update(id, { claims: {}, state: 'redacted', tags: [1], colour: 1 }))).toEqual([
      '400 invalid_attribute /data/attributes/claims',
      '400 invalid_attribute /data/attributes/tags/0',
      '400 invalid_body /data/attributes/colour',
      '400 invalid_body /data/attributes/state',
    ])
  })

  it('refuses a type or an id that differs from the path with 409 conflict', async () => {
    const [{ id }, other] = [await create(), await create()]
    expect(refusals(await update(id, {}, { id: other.id }))).toEqual(['409 conflict /data/id'])
    expect(refusals(await update(id, {}, { id: id.toLowerCase() }))).toEqual(['409 conflict /data/id'])
    expect(refusals(await update(id, {}, { id: 1, type: 'block' }))).toEqual([
      '409 conflict /data/id',
      '409 conflict /data/type',
    ])
    expect(refusals(await update(id, {}, { type: undefined }))).toEqual(['400 missing_type /data/type'])
  })
})

describe('404 and 403 of updating an item', () => {
  it('answers the same 404 for an unknown id, a malformed one, and an item the caller may not read', async () => {
    const { id } = await create()
    const answers = []
    for (const target of [id, '01MB78W7FGY7TZHKNWE7WA3Z57', 'x', '%00', `${id}%00`, '%ff', id.toLowerCase()])
      answers.push(await update(target, { visibility: 'public' }, {}, stranger))
    for (const answer of answers) {
      expect(refusals(answer)).toEqual(['404 not_found'])
      expect(withoutIds(answer)).toEqual(withoutIds(answers[0] ?? answer))
    }
    expect((await create()).attributes.visibility).toBe('private')
  })

  it('answers 403 forbidden for an item that can be read but is somebody else’s', async () => {
    const { id } = await create({ visibility: 'public' })
    expect(refusals(await update(id, { tags: ['mine'] }, {}, stranger))).toEqual(['403 forbidden'])
  })

  it('in a team that retains ownership lets its owners and admins change an item, not its creator', async () => {
    const member = await app.account('hedy')
    const team = await app.team(app.owner, 'team_retains')
    await app.join(team, member.userId, 'member')
    const { id } = await create({ visibility: 'team' }, member, team)
    expect(refusals(await update(id, { tags: ['m'] }, {}, member))).toEqual(['403 forbidden'])
    expect(resourceOf(await update(id, { tags: ['o'] })).attributes.tags).toEqual(['o'])
  })
})
