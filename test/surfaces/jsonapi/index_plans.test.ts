// Among many items, every page of every sort and of every equality filter is one short range of an index.
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { compileFilter, type FilterTree } from '../../../server/contract/filter.ts'
import {
  keyColumns,
  keysetOf,
  nullsFirst,
  type Place,
  phasesBeyond,
} from '../../../server/contract/keyset.ts'
import { pageStatement } from '../../../server/contract/read_phase.ts'
import { queryFields, sortKey, withTiebreaker } from '../../../server/contract/resource_fields.ts'
import { SHOWS_ALL } from '../../../server/contract/row_columns.ts'
import { resolveTenant } from '../../../server/domain/accounts/tenant.ts'
import { and } from '../../../server/store/conditions.ts'
import type { Sql } from '../../../server/store/statement.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { compiled } from '../../support/compiled.ts'
import { sizeOf } from '../../support/sizes.ts'
import { insertItems } from './crowd.ts'
import { contextOf, explain } from './explain.ts'

/** In full as many as the lists must stay fast at. */
const ITEMS = sizeOf('listed_items')
const OTHERS = 20_000
const PAGE = 26
const item = catalog.related('item')
const fields = queryFields(item)
const sorts = Object.keys(fields)
  .filter((name) => fields[name]?.sort === true)
  .flatMap((name) => [
    name,
    `-${name}`,
    ...(fields[name]?.nullable === true ? [`${name}^`, `-${name}^`] : []),
  ])

/** A sort word as keys are named in cursors: `^` puts the nulls in front. */
const keyOf = (word: string) => {
  const key = sortKey(item, word.replace('^', ''))
  return key !== undefined && word.endsWith('^') ? nullsFirst(key) : key
}
const filters = Object.keys(fields).filter(
  (name) => fields[name]?.filter === true && fields[name]?.kind.stored?.operators.includes('eq') === true,
)

let app: TestApp
let tenant = ''
let listedWith: (filter: FilterTree) => Sql

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
  const context = contextOf(app, app.owner, team)
  const base = [item.visible(context, 'r'), await item.listed(context)]
  listedWith = (filter) => and([...base, compileFilter(item, { context, related: catalog.related }, filter)])
}, 150_000)
afterAll(() => app.close())

/** What is wrong with how the statements of a page are carried out; the page stops where the reader would. */
async function mistakes(
  sort: string | undefined,
  filter: FilterTree,
  from: Place | undefined,
  backwards: boolean,
): Promise<string[]> {
  const key = sort === undefined ? undefined : keyOf(sort)
  const keys = withTiebreaker(item, key === undefined ? [] : [key])
  const reader = { resource: item, keys, listed: listedWith(filter) }
  const wrong: string[] = []
  let found = 0
  for (const phase of phasesBeyond(keys, from, backwards)) {
    const { text, parameters } = compiled(
      pageStatement({ ...reader, shows: SHOWS_ALL }, phase, PAGE - found).text,
    )
    const { mistakes: told, rows } = await explain(app, 'items', text, parameters)
    const where = `${sort ?? 'default'} ${JSON.stringify(filter)} ${backwards ? 'before' : 'after'} ${JSON.stringify(from?.keyset)}`
    wrong.push(...told.map((mistake) => `${where}: ${mistake}`))
    found += rows
    if (found >= PAGE) break
  }
  return wrong
}

/** Where the row stands that has so many before it in order of ids. */
async function placeOf(sort: string | undefined, condition: string): Promise<Place | undefined> {
  const key = sort === undefined ? undefined : keyOf(sort)
  const keys = withTiebreaker(item, key === undefined ? [] : [key])
  const { text } = compiled(keyColumns(keys))
  const [row] = await app.query<Record<string, unknown>>(
    `SELECT ${text} FROM items r WHERE r.id > $1 AND r.team_id = $2 AND ${condition} ORDER BY r.id LIMIT 1`,
    [`01${String(ITEMS / 2).padStart(24, '0')}`, tenant],
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
      const column = keyOf(sort)?.column ?? ''
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
