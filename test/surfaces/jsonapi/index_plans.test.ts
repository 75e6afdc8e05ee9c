// Among many items, every page of every sort and of every equality filter is one short range of an index.
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import type { Context } from '../../../server/catalog/context.ts'
import type { FilterTree } from '../../../server/contract/filter.ts'
import { type KeysetPlace, keyColumns, keysetOf } from '../../../server/contract/keyset.ts'
import { queryFields } from '../../../server/contract/resource_fields.ts'
import { resolveTenant } from '../../../server/domain/accounts/tenant.ts'
import type { TestAccount } from '../../support/app.ts'
import { compiled } from '../../support/compiled.ts'
import { sizeOf } from '../../support/sizes.ts'
import { testApp } from '../../support/test_app.ts'
import { insertItems, itemId } from './crowd.ts'
import { contextOf } from './explain.ts'
import { fillTables, fillUnindexed, indexesListed, keysOf, mistakesOf } from './page_plans.ts'

/** In full as many as the lists must stay fast at. */
const ITEMS = sizeOf('listed_items')
const OTHERS = 20_000
const RARE = 30
/** Indexes that the plans read. */
const used = new Set<string>()
/** For erasing what expires. */
const NO_LISTS = ['items_expiring', 'items_expiring_id', 'items_expiring_in_team']
/** Items of three blocks and items that wait lie side by side here, and each page passes over others' and over those. */
const PASSED_OVER = 6_000
const item = catalog.related('item')
const fields = queryFields(item)
const sorts = Object.keys(fields)
  .filter((name) => fields[name]?.sort === true)
  .flatMap((name) => [
    name,
    `-${name}`,
    ...(fields[name]?.nullable === true ? [`${name}^`, `-${name}^`] : []),
  ])

/** With `inserted_at` goes the id. */
const columnOf = (word: string): string =>
  keysOf(item, word).find(({ name }) => name !== 'inserted_at')?.column ?? ''

const filters = Object.keys(fields).filter((name) => fields[name]?.filter === true)

const app = testApp()
let tenant = ''
/** Has a small team of its own. */
let member: TestAccount
let context: Context

beforeAll(async () => {
  member = await app.account('grace')
  await app.finalize(3)
  tenant = await app.team(app.owner)
  await app.join(tenant, member.userId, 'member')
  await fillTables(app, async (client) => {
    const run = (text: string, parameters: unknown[]) => client.query(text, parameters)
    const owner = app.owner.userId
    await fillUnindexed(client, 'items', async () => {
      await insertItems(run, { team: tenant, creator: owner, from: 0, count: ITEMS })
      await insertItems(run, { team: member.teamId, creator: member.userId, from: ITEMS, count: OTHERS })
      // Few: private items of others that lie in between are passed over one by one.
      await insertItems(run, { team: tenant, creator: member.userId, from: ITEMS + OTHERS, count: 100 })
      // The oldest have what no other has. A list begins with the newest.
      await client.query(
        `UPDATE items SET hash = 'rare', display_name = 'rare', claims_hash = sha256('rare'), tags = ARRAY['rare'], claims = '{}',
                redacted_at = NULL, expires_at = '2099-01-01' WHERE id < $1 AND team_id = $2`,
        [itemId(RARE), tenant],
      )
    })
    await client.query('TRUNCATE item_tags')
    await client.query(
      'INSERT INTO item_tags (team_id, tag, item_id) SELECT team_id, unnest(tags), id FROM items',
    )
    await client.query('ANALYZE items, item_tags, block_leaves, waiting_moments')
  })
  const team = await resolveTenant(app.store.em(), app.owner.userId, tenant)
  context = contextOf(app, app.owner, team)
}, 150_000)

const mistakes = (
  sort: string | undefined,
  filter: FilterTree,
  from: KeysetPlace | undefined,
  backwards: boolean,
) =>
  mistakesOf(
    app,
    item,
    context,
    { sort, filter, from, backwards },
    { table: 'items', buffers: PASSED_OVER, used },
  )

/** The same, when PostgreSQL has planned the statement without its values. */
const mistakesWithoutValues = (filter: FilterTree) =>
  mistakesOf(app, item, context, { sort: '-id', filter }, { table: 'items', knowsValues: false })

/** Where the row stands that has so many before it in order of ids. */
async function placeOf(sort: string | undefined, condition: string): Promise<KeysetPlace | undefined> {
  const keys = keysOf(item, sort)
  const { text } = compiled(keyColumns(keys))
  const [row] = await app.query<Record<string, unknown>>(
    `SELECT ${text} FROM items r WHERE r.id > $1 AND r.team_id = $2 AND ${condition} ORDER BY r.id LIMIT 1`,
    [itemId(ITEMS / 2), tenant],
  )
  return row === undefined ? undefined : { keyset: keysetOf(keys, row), inclusive: false }
}

/** Whose private items of others its owner reads, and whose the owner passes over. */
const MODELS = ['creator_retains', 'team_retains']
const retainedBy = (model: string) =>
  app.query('UPDATE teams SET ownership_model = $2 WHERE id = $1', [tenant, model])

describe.each(MODELS)('in a team with %s', (model) => {
  beforeAll(() => retainedBy(model))

  describe.each(sorts)('sort=%s', (sort) => {
    it('reads its first page, its last, and those in the middle as index ranges', async () => {
      const column = columnOf(sort)
      const places = [
        undefined,
        await placeOf(sort, `${column} IS NOT NULL`),
        await placeOf(sort, `${column} IS NULL`),
      ]
      const wrong: string[] = []
      for (const [index, place] of places.entries())
        if (index === 0 || place !== undefined)
          for (const backwards of [false, true]) wrong.push(...(await mistakes(sort, {}, place, backwards)))
      expect(wrong).toEqual([])
    })
  })

  describe.each(filters)('filter[%s]', (name) => {
    it('reads its pages as index ranges, whether much is found, little or nothing', async () => {
      const wrong: string[] = []
      const deep = await placeOf(undefined, 'true')
      const operator = fields[name]?.kind.isList === true ? 'has' : 'eq'
      for (const value of await valuesOf(name))
        for (const place of [undefined, deep])
          for (const sort of ['id', '-id'])
            wrong.push(...(await mistakes(sort, { [name]: { [operator]: value } }, place, false)))
      expect(wrong).toEqual([])
    })
  })

  it('a prepared statement is carried out in the same way', async () => {
    for (const filter of [
      {},
      { hash: 'rare' },
      { tags: { has: 'rare' } },
      { state: 'committed' },
      { visibility: 'team' },
    ])
      expect(await mistakesWithoutValues(filter)).toEqual([])
  })

  it.each([
    ['inserted_at', { gte: '2026-01-01T02:00:00.000Z', lt: '2026-01-01T02:00:05.000Z' }],
    ['committed_at', { gte: '2001-01-01T00:00:00.000Z' }],
    ['id', { gte: itemId(40), lt: itemId(50) }],
  ])('a range of %s is a range of ids', async (name, range) => {
    expect(await mistakes('-id', { [name]: range }, undefined, false)).toEqual([])
  })
})

it('a small team beside the large one is read by the same indexes, and every one of them was read', async () => {
  await app.query(`UPDATE teams SET ownership_model = 'team_retains' WHERE id = $1`, [member.teamId])
  await app.query(
    `UPDATE items SET claims = NULL, hash = NULL, display_name = NULL, redacted_at = inserted_at
      WHERE team_id = $1 AND redacted_at IS NULL AND id NOT LIKE '%1'`,
    [member.teamId],
  )
  await fillTables(app, (client) => client.query('VACUUM ANALYZE items'))
  const team = await resolveTenant(app.store.em(), member.userId, member.teamId)
  const theirs = contextOf(app, member, team)
  for (const filter of [{}, { state: 'committed' }])
    for (const sort of ['id', '-id'])
      expect(
        await mistakesOf(app, item, theirs, { sort, filter }, { table: 'items', buffers: PASSED_OVER, used }),
      ).toEqual([])
  const listed = ['item_tags_pkey', ...indexesListed('items_')]
  expect(listed.filter((name) => !used.has(name) && !NO_LISTS.includes(name))).toEqual([])
})

/** Of the oldest, which are rare, of those in the middle, and one that no item has. */
async function valuesOf(name: string): Promise<string[]> {
  const field = fields[name]
  const stored = field?.kind.stored
  if (stored === undefined) throw new Error(`${name} is not stored`)
  const column = sql.raw(`r.${name}`)
  const { text } = compiled(field?.kind.isList === true ? sql`unnest(${column})` : stored.asText(column))
  const near = (from: number) =>
    app.query<{ value: string }>(
      `SELECT DISTINCT value FROM (SELECT ${text} AS value FROM shown_items r
        WHERE r.team_id = $1 AND r.id >= $2 ORDER BY r.id LIMIT 40) AS near WHERE value IS NOT NULL LIMIT 3`,
      [tenant, itemId(from)],
    )
  const found = [...(await near(0)), ...(await near(ITEMS / 2))].map(({ value }) => value)
  return [...new Set([...found, ...NOTHING.filter((one) => stored.bind(one) !== undefined)])]
}

const NOTHING = ['nothing', '00'.repeat(32), '2001-01-01T00:00:00.000Z']
