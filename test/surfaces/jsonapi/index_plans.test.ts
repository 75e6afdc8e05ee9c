// Among many items, every page of every sort and of every equality filter is one short range of an index.
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import type { Context } from '../../../server/catalog/context.ts'
import type { FilterTree } from '../../../server/contract/filter_tree.ts'
import { keyColumns, keysetOf, type Place } from '../../../server/contract/keyset.ts'
import { queryFields } from '../../../server/contract/resource_fields.ts'
import { resolveTenant } from '../../../server/domain/accounts/tenant.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { compiled } from '../../support/compiled.ts'
import { sizeOf } from '../../support/sizes.ts'
import { insertItems, itemId } from './crowd.ts'
import { contextOf } from './explain.ts'
import { keysOf, mistakesOf } from './page_plans.ts'

/** In full as many as the lists must stay fast at. */
const ITEMS = sizeOf('listed_items')
const OTHERS = 20_000
const item = catalog.related('item')
const fields = queryFields(item)
/** Their conditions are compiled through the view, without an index of their own. */
const THROUGH_VIEW = ['state', 'block_id', 'committed_at', 'inserted_at']
const sorts = Object.keys(fields)
  .filter((name) => fields[name]?.sort === true && !THROUGH_VIEW.includes(name))
  .flatMap((name) => [
    name,
    `-${name}`,
    ...(fields[name]?.nullable === true ? [`${name}^`, `-${name}^`] : []),
  ])

const filters = Object.keys(fields).filter(
  (name) =>
    fields[name]?.filter === true &&
    !THROUGH_VIEW.includes(name) &&
    fields[name]?.kind.stored?.operators.includes('eq') === true,
)

let app: TestApp
let tenant = ''
let context: Context

/** Loaded without indexes, checks of foreign keys and log, which takes a third of the time; then they are as they were. */
beforeAll(async () => {
  app = await openTestApp()
  const member = await app.account('grace')
  tenant = await app.team(app.owner)
  await app.join(tenant, member.userId, 'member')
  const client = new pg.Client({ connectionString: app.database.url })
  await client.connect()
  try {
    await client.query(`SET session_replication_role = replica; SET synchronous_commit = off;
      SET maintenance_work_mem = '256MB'; ALTER TABLE items SET UNLOGGED`)
    const run = (text: string, parameters: unknown[]) => client.query(text, parameters)
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
        WHERE tablename = 'items' AND indexname <> 'items_pkey'`,
    )
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
    const owner = app.owner.userId
    await insertItems(run, { team: tenant, creator: owner, from: 0, count: ITEMS })
    await insertItems(run, { team: member.teamId, creator: member.userId, from: ITEMS, count: OTHERS })
    // Few: private items of others that lie in between are passed over one by one.
    await insertItems(run, { team: tenant, creator: member.userId, from: ITEMS + OTHERS, count: 100 })
    for (const { definition } of indexes) await client.query(definition)
    await client.query('ANALYZE items')
  } finally {
    await client.end()
  }
  const team = await resolveTenant({ em: app.store.em() }, app.owner.userId, tenant)
  context = contextOf(app, app.owner, team)
}, 150_000)
afterAll(() => app.close())

const mistakes = (
  sort: string | undefined,
  filter: FilterTree,
  from: Place | undefined,
  backwards: boolean,
) => mistakesOf(app, item, context, { sort, filter, from, backwards }, { table: 'items' })

/** Where the row stands that has so many before it in order of ids. */
async function placeOf(sort: string | undefined, condition: string): Promise<Place | undefined> {
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
      const column = keysOf(item, sort)[0]?.column ?? ''
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
      const field = fields[name]
      const column = `r.${field?.column ?? name}`
      const stored = field?.kind.stored
      if (stored === undefined) throw new Error(`${name} is not stored`)
      const { text } = compiled(stored.asText(sql.raw(column)))
      const values = await app.query<{ value: string }>(
        `SELECT DISTINCT value FROM (SELECT ${text} AS value FROM items r
        WHERE r.team_id = $1 AND ${column} IS NOT NULL ORDER BY r.id LIMIT 40) AS near LIMIT 3`,
        [tenant],
      )
      const wrong: string[] = []
      const deep = await placeOf(undefined, 'true')
      for (const value of [
        ...values.map((one) => one.value),
        ...NOTHING.filter((one) => stored.bind(one) !== undefined),
      ])
        for (const place of [undefined, deep])
          wrong.push(...(await mistakes(undefined, { [name]: value }, place, false)))
      expect(wrong).toEqual([])
    })
  })
})

const NOTHING = ['nothing', '00'.repeat(32), '2001-01-01T00:00:00.000Z']
