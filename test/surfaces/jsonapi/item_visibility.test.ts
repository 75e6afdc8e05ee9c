// Who may read an item, by id and in lists: its creator, members of its team when it is visible to them, anybody when public.
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { TestAccount } from '../../support/app.ts'
import { type Answer, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { pageOf, refusals, resourceOf, withoutIds } from './documents.ts'
import { itemBody } from './item_documents.ts'

const withIncluded = z.object({ included: z.array(z.object({ id: z.string() })) })

const app = testApp()
let team = ''
const people: Record<string, TestAccount> = {}
const items: Record<string, string> = {}

beforeAll(async () => {
  team = await app.team(app.owner)
  people.creator = await app.account('creator')
  people.member = await app.account('member')
  people.viewer = await app.account('viewer')
  people.former = await app.account('former')
  people.stranger = await app.account('stranger')
  await app.join(team, people.creator.userId, 'member')
  await app.join(team, people.member.userId, 'member')
  await app.join(team, people.viewer.userId, 'viewer')
  for (const visibility of ['private', 'team', 'public']) {
    const answer = await ask(app.port, '/api/json/items', {
      key: people.creator.key,
      headers: { tenant: team },
      body: itemBody({ visibility }),
    })
    items[visibility] = resourceOf(answer, 201).id
  }
})

const read = (who: string, visibility: string) =>
  ask(app.port, `/api/json/items/${items[visibility]}`, { key: people[who]?.key ?? '' })

describe('an item by its id', () => {
  it.each([
    ['creator', { private: 200, team: 200, public: 200 }],
    ['member', { private: 404, team: 200, public: 200 }],
    ['viewer', { private: 404, team: 200, public: 200 }],
    ['former', { private: 404, team: 404, public: 200 }],
    ['stranger', { private: 404, team: 404, public: 200 }],
  ])('is answered to the %s as %j', async (who, expected) => {
    for (const [visibility, status] of Object.entries(expected)) {
      const answer = await read(who, visibility)
      if (status === 200) expect(resourceOf(answer).id).toBe(items[visibility])
      else expect(refusals(answer)).toEqual(['404 not_found'])
    }
  })

  it('is the same 404, but for the id of the error, when it is unknown, malformed or somebody else’s', async () => {
    const first = await read('stranger', 'private')
    for (const id of [
      '01MB78W7FGY7TZHKNWE7WA3Z57',
      items.team ?? '',
      (items.public ?? '').toLowerCase(),
      'x',
      '%00',
      '%',
      '%ff%fe',
      '%F0%9F%92%A9',
      app.owner.teamId,
      "'",
      'x'.repeat(3_000),
    ]) {
      const answer = await ask(app.port, `/api/json/items/${id}`, { key: people.stranger?.key ?? '' })
      expect(refusals(answer)).toEqual(['404 not_found'])
      expect(withoutIds(answer)).toEqual(withoutIds(first))
    }
  })

  it('works across the teams of the caller, whatever the tenant', async () => {
    const answer = await ask(app.port, `/api/json/items/${items.team}`, {
      key: people.member?.key ?? '',
      headers: { tenant: people.member?.teamId ?? '' },
    })
    expect(resourceOf(answer).id).toBe(items.team)
  })
})

describe('the list of items', () => {
  const list = async (who: string, tenant?: string) => {
    const answer = await ask(app.port, '/api/json/items?page[count]=true', {
      key: people[who]?.key ?? '',
      headers: tenant === undefined ? {} : { tenant },
    })
    const { data, meta } = pageOf(answer)
    expect(meta.page.total).toBe(data.length)
    return data.map(({ id }) => id)
  }

  it('shows the items of the tenant that the caller may read, newest first', async () => {
    expect(await list('creator', team)).toEqual([items.public, items.team, items.private])
    expect(await list('member', team)).toEqual([items.public, items.team])
    expect(await list('viewer', team)).toEqual([items.public, items.team])
  })

  it('keeps to the tenant: own and public items of other teams are not in it', async () => {
    expect(await list('creator')).toEqual([])
    expect(await list('stranger')).toEqual([])
  })
})

describe('in a team that retains ownership, a private item', () => {
  const others: Record<string, TestAccount> = {}
  let kept = ''
  let itemId = ''
  let blockId = ''
  beforeAll(async () => {
    kept = await app.team(app.owner, 'team_retains')
    for (const role of ['admin', 'member', 'viewer']) {
      others[role] = await app.account(`kept-${role}`)
      await app.join(kept, others[role].userId, role)
    }
    others.owner = app.owner
    others.creator = await app.account('kept-creator')
    await app.join(kept, others.creator.userId, 'member')
    // What the other tests made stands in a block of its own.
    await app.finalize()
    const made = await ask(app.port, '/api/json/items', {
      key: others.creator.key,
      headers: { tenant: kept },
      body: itemBody({ visibility: 'private' }),
    })
    itemId = resourceOf(made, 201).id
    await app.finalize()
    const [row] = await app.query<{ block_id: string }>('SELECT block_id FROM shown_items WHERE id = $1', [
      itemId,
    ])
    blockId = row?.block_id ?? ''
  })
  const call = (who: string, path: string, rest: object = {}) =>
    ask(app.port, `/api/json/${path}`, { key: others[who]?.key ?? '', headers: { tenant: kept }, ...rest })

  it.each([
    ['owner', true],
    ['admin', true],
    ['creator', true],
    ['member', false],
    ['viewer', false],
  ])('is read by its %s: %j, on every way to it', async (who, may) => {
    const ids = (answer: Answer) => pageOf(answer).data.map(({ id }) => id)
    expect((await call(who, `items/${itemId}`)).status).toBe(may ? 200 : 404)
    expect(ids(await call(who, 'items'))).toEqual(may ? [itemId] : [])
    expect(ids(await call(who, `blocks?filter[items][id]=${itemId}`))).toEqual(may ? [blockId] : [])
    const block = withIncluded.parse((await call(who, `blocks/${blockId}?include=items`)).json())
    expect(block.included.map(({ id }) => id)).toEqual(may ? [itemId] : [])
    const resolved = await call(who, 'utilities/resolve-id', { body: { json: { data: { id: itemId } } } })
    expect(resolved.text.includes('"kind":"item"')).toBe(may)
    const proof = await call(who, 'proof/generate', {
      body: { json: { data: { id: itemId, type: 'item' } } },
    })
    expect(refusals(proof)).toEqual(may ? ['409 no_external_commitments'] : ['404 not_found'])
    const ots = await call(who, 'proof/opentimestamps', { body: { json: { data: { id: itemId } } } })
    expect(refusals(ots)).toEqual(may ? ['409 no_external_commitments'] : ['404 not_found'])
  })

  it('is changed by its owners and admins, and by nobody else', async () => {
    const tag = (who: string) =>
      call(who, `items/${itemId}`, {
        method: 'PATCH',
        body: { json: { data: { type: 'item', id: itemId, attributes: { tags: [who] } } } },
      })
    for (const who of ['owner', 'admin']) expect(resourceOf(await tag(who)).attributes.tags).toEqual([who])
    expect(refusals(await tag('creator'))).toEqual(['403 forbidden'])
    for (const who of ['member', 'viewer']) expect(refusals(await tag(who))).toEqual(['404 not_found'])
  })
})
