// Included records: whole chains of them, each once, linked from where they came, and only what the caller may read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openTestApp, type TestAccount, type TestApp } from '../../support/app.ts'
import { type Answer, ask } from '../../support/http.ts'
import { insertItems, itemId } from './crowd.ts'
import { refusals } from './documents.ts'
import { openPopulated, type Populated } from './populated.ts'

let house: Populated
beforeAll(async () => {
  house = await openPopulated()
})
afterAll(() => house.app.close())

const identifier = z.strictObject({ type: z.string(), id: z.string() })
const record = z.object({
  type: z.string(),
  id: z.string(),
  attributes: z.record(z.string(), z.unknown()),
  relationships: z.record(
    z.string(),
    z.object({ data: z.union([z.null(), identifier, z.array(identifier)]).optional() }),
  ),
})
const document = z.object({
  data: z.union([record, z.array(record)]),
  included: z.array(record).optional(),
})
type Whole = { data: z.infer<typeof record>[]; included: z.infer<typeof record>[] | undefined }

const whole = (answer: Answer): Whole => {
  expect(answer.status, answer.text).toBe(200)
  const { data, included } = document.parse(answer.json())
  return { data: [data].flat(), included }
}
const get = (path: string, by: TestAccount = house.app.owner, tenant?: string) =>
  ask(house.app.port, `/api/json/${path}`, { key: by.key, headers: tenant === undefined ? {} : { tenant } })

const nameOf = ({ type, id }: { type: string; id: string }) => `${type} ${id}`

/** JSON:API's full linkage: every included record is pointed at, and every pointer leads somewhere. */
function expectFullLinkage({ data, included = [] }: Whole): void {
  const all = [...data, ...included].map(nameOf)
  expect(new Set(all).size).toBe(all.length)
  const pointed = [...data, ...included].flatMap(({ relationships }) =>
    Object.values(relationships).flatMap((one) => [one.data ?? []].flat().map(nameOf)),
  )
  for (const one of included) expect(pointed).toContain(nameOf(one))
  for (const one of pointed) expect(all).toContain(one)
}

describe('include', () => {
  it.each([
    'items?include=block',
    'items?include=team,creator,block',
    'items?include=block.previous,block.next.previous&page[limit]=250',
    'items?include=team.users,team.memberships.user',
    'blocks?include=previous,next&page[limit]=2',
    'blocks?include=items.creator,entropy_observations.block,commitments.epoch.commitment',
    'entropy_observations?include=block',
    'epochs?include=commitment',
    'commitments?include=epoch',
    'teams?include=memberships.user,users',
    'memberships?include=team,user',
  ])('%s answers every record once, fully linked', async (path) => {
    const answer = whole(await get(path, house.app.owner, path.startsWith('items') ? house.team : undefined))
    expect(answer.included?.length).toBeGreaterThan(0)
    expectFullLinkage(answer)
  })

  it('is absent unless asked for, and an empty list when there is nothing', async () => {
    expect(whole(await get('blocks')).included).toBeUndefined()
    expect(whole(await get('blocks?include=')).included).toBeUndefined()
    expect(whole(await get('items?include=team', house.member)).included).toEqual([])
  })

  it('says null for a record that is not there, and an empty list for none', async () => {
    const [genesis] = whole(await get('blocks?sort=id&include=next,items,previous&page[limit]=1')).data
    expect(genesis?.relationships.items?.data).toEqual([])
    expect(genesis?.relationships.previous?.data).toEqual({ type: 'block', id: genesis?.id })
    const [head] = whole(await get('blocks?include=next&page[limit]=1')).data
    expect(head?.relationships.next?.data).toBeNull()
    const middle = whole(await get('blocks?sort=id&include=next')).data
    expect(middle.slice(0, -1).map(({ relationships }) => relationships.next?.data)).toEqual(
      middle.slice(1).map(({ id }) => ({ type: 'block', id })),
    )
  })

  it('works for one record, and in the answers of writes', async () => {
    const [first] = whole(await get('items?sort=id', house.app.owner, house.team)).data
    const one = whole(await get(`items/${first?.id}?include=team,creator`))
    expect(one.included?.map(({ type }) => type).toSorted()).toEqual(['team', 'user'])
    const changed = await ask(
      house.app.port,
      `/api/json/items/${first?.id}?include=team&fields[item]=tags,team`,
      {
        key: house.app.owner.key,
        method: 'PATCH',
        body: { json: { data: { type: 'item', attributes: { tags: ['now'] } } } },
      },
    )
    const { data, included } = whole(changed)
    expect(data[0]?.attributes).toEqual({ tags: ['now'] })
    expect(included?.map(({ id }) => id)).toEqual([house.team])
  })

  it('shows only what the caller may read', async () => {
    const stranger = await house.app.account('mallory')
    const blocks = whole(await get('blocks?include=items.team,items.creator', stranger))
    const seen = (blocks.included ?? []).filter(({ type }) => type === 'item')
    expect(seen.length).toBeGreaterThan(0)
    for (const { attributes, relationships } of seen) {
      expect(attributes.visibility).toBe('public')
      expect([relationships.team?.data, relationships.creator?.data]).toEqual([null, null])
    }
    expect((blocks.included ?? []).every(({ type }) => type === 'item')).toBe(true)
    const users = whole(await get('teams?include=users', house.app.owner)).included ?? []
    for (const { id, attributes } of users) expect('email' in attributes).toBe(id === house.app.owner.userId)
  })

  it('a row with more related records than usual is answered with all of them, alone and in a list', async () => {
    const { app, team } = house
    const [block] = whole(await get('blocks?page[limit]=1')).data
    await crowd(app, team, block?.id ?? '')
    expect(whole(await get(`blocks/${block?.id}?include=items`)).included).toHaveLength(260)
    const list = whole(await get('blocks?include=items'))
    const items = (list.included ?? []).filter(({ type }) => type === 'item')
    expect(items.length).toBeGreaterThanOrEqual(260)
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
    const linked = list.data.flatMap(({ relationships }) => [relationships.items?.data].flat())
    expect(linked).toHaveLength(items.length)
  })
})

describe('a ceiling of included rows', () => {
  it('ends a list before the row that would pass it, and only that row alone is refused', async () => {
    const app = await openTestApp({ ceilings: { included_rows: 255 } })
    try {
      await app.finalize(3)
      const ask1 = (path: string) => ask(app.port, `/api/json/${path}`, { key: app.owner.key })
      const [, second] = whole(await ask1('blocks?sort=id')).data
      await crowd(app, app.owner.teamId, second?.id ?? '')
      const page = await ask1('blocks?sort=id&include=items&page[limit]=3')
      expect(whole(page).data).toHaveLength(1)
      const { links, meta } = z
        .object({
          links: z.object({ next: z.string() }),
          meta: z.object({ page: z.object({ limit: z.number() }) }),
        })
        .parse(page.json())
      expect(meta.page.limit).toBe(1)
      expect(refusals(await ask1(links.next.split('/api/json/')[1] ?? ''))).toEqual([
        '400 response_too_large',
      ])
      await app.query('DELETE FROM items WHERE id >= $1 AND id < $2', [itemId(5_000), itemId(5_010)])
      expect(whole(await ask1(`blocks/${second?.id}?include=items`)).included).toHaveLength(250)
    } finally {
      await app.close()
    }
  })
})

/** Puts 260 items into a block. */
async function crowd(app: TestApp, team: string, block: string): Promise<void> {
  await insertItems(app.query, { team, creator: app.owner.userId, from: 5_000, count: 260 })
  const [first, end] = [itemId(5_000), itemId(5_260)]
  await app.query('DELETE FROM block_leaves WHERE subject_id >= $1 AND subject_id < $2', [first, end])
  await app.query(
    `INSERT INTO block_leaves (height, leaf_index, subject_id)
     SELECT b.height, right(i.id, 6)::int, i.id FROM items i CROSS JOIN blocks b
      WHERE b.id = $1 AND i.id >= $2 AND i.id < $3`,
    [block, first, end],
  )
  await app.query(
    `UPDATE blocks SET first_item_id = $2, last_item_id = $3, item_count = 260, leaf_count = 260 + observation_count
      WHERE id = $1`,
    [block, first, end],
  )
}

describe('fields', () => {
  it('keeps to what is named, of primary and of included records', async () => {
    const { data, included } = whole(
      await get(
        'items?include=block&fields[item]=state,block&fields[block]=block_hash',
        house.app.owner,
        house.team,
      ),
    )
    for (const { attributes, relationships } of data) {
      expect(Object.keys(attributes)).toEqual(['state'])
      expect(Object.keys(relationships)).toEqual(['block'])
    }
    for (const { attributes, relationships } of included ?? []) {
      expect(Object.keys(attributes)).toEqual(['block_hash'])
      expect(relationships).toEqual({})
    }
  })

  it('may leave the linkage out, but not the included records', async () => {
    const { data, included } = whole(await get('blocks?include=previous&fields[block]=height&page[limit]=2'))
    for (const { relationships } of data) expect(relationships).toEqual({})
    expect(included).toHaveLength(1)
  })

  it('that are none show none', async () => {
    for (const path of ['blocks?fields[block]=', 'users/me?fields[user]=', 'teams?fields[team]='])
      for (const { attributes, relationships } of whole(await get(path)).data)
        expect([attributes, relationships]).toEqual([{}, {}])
  })

  it('do not bring out what the caller may not see', async () => {
    const { data } = whole(await get('users?fields[user]=email,plan'))
    expect(data.filter(({ attributes }) => 'email' in attributes).map(({ id }) => id)).toEqual([
      house.app.owner.userId,
    ])
  })
})

describe('a filter by relationship', () => {
  it('does not tell of rows that the caller may not read', async () => {
    const { app, team } = house
    const stranger = await app.account('trudy')
    const ids = async (path: string, by: TestAccount) => whole(await get(path, by)).data.map(({ id }) => id)
    for (const visibility of ['private', 'team'])
      expect(await ids(`blocks?filter[items][visibility]=${visibility}`, stranger)).toEqual([])
    expect(await ids('blocks?filter[items][visibility]=public', stranger)).not.toEqual([])
    expect(await ids('blocks?filter[items][visibility]=private', app.owner)).not.toEqual([])
    expect(await ids(`blocks?filter[items][team][id]=${team}`, stranger)).toEqual([])
    expect(await ids(`blocks?filter[items][creator][id]=${app.owner.userId}`, stranger)).toEqual([])
    const everything = await ids('blocks', stranger)
    expect(await ids('blocks?filter[not][items][visibility]=private', stranger)).toEqual(everything)
    expect(await ids(`teams?filter[memberships][role]=viewer`, house.member)).toEqual([])
    expect(await ids(`teams?filter[memberships][role]=viewer`, app.owner)).toEqual([team])
  })
})
