// What was committed before or after a block is found without its items, however many it has.
import { beforeAll, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { resolveTenant } from '../../../server/domain/accounts/tenant.ts'
import { ask } from '../../support/http.ts'
import { makeItems } from '../../support/make_resource.ts'
import { testApp } from '../../support/test_app.ts'
import { pageOf } from './documents.ts'
import { contextOf } from './explain.ts'
import { mistakesOf } from './page_plans.ts'

const FEW = 30
const BATCH = 250
const MANY = 8 * BATCH
/** Fewer than one for each item of the block. */
const BUFFERS = MANY / 2

const app = testApp()
let before = ''
let later = ''

beforeAll(async () => {
  const items = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      claims: { name: `File ${n}`, hash: 'ab'.repeat(32), hash_type: 'sha256' },
    }))
  await makeItems(app, items(FEW))
  await app.finalize()
  for (let made = 0; made < MANY; made += BATCH) await makeItems(app, items(BATCH))
  await app.finalize()
  const blocks = await app.query<{ at: string }>(
    'SELECT iso_time(finalized_at) AS at FROM blocks WHERE item_count > 0 ORDER BY height',
  )
  before = blocks[0]?.at ?? ''
  later = blocks[1]?.at ?? ''
  await app.query('ANALYZE items, block_leaves, blocks')
})

it.each([
  { sort: '-id', operator: 'lt', rows: 26 },
  { sort: 'id', operator: 'gt', rows: 0 },
])('what has $operator the time of a block is found without reading its items', async (row) => {
  const { sort, operator, rows } = row
  const team = await resolveTenant(app.store.em(), app.owner.userId, app.owner.teamId)
  const asked = { sort, filter: { committed_at: { [operator]: later } } }
  const context = contextOf(app, app.owner, team)
  const expected = { table: 'items', rows, buffers: BUFFERS }
  expect(await mistakesOf(app, catalog.related('item'), context, asked, expected)).toEqual([])
})

const count = async (operator: string, time: string): Promise<unknown> => {
  const filter = `filter[committed_at][${operator}]=${time}`
  const answer = await ask(app.port, `/api/json/items?${filter}&page[count]=true&page[limit]=1`, {
    key: app.owner.key,
  })
  return pageOf(answer).meta.page
}
const justBefore = (time: string): string => new Date(Date.parse(time) - 1).toISOString()
const ALL = FEW + MANY

it.each([
  ['lt', FEW],
  ['lte', ALL],
  ['eq', MANY],
  ['gte', MANY],
  ['gt', 0],
])('%s the time of the block finds %i', async (operator, total) => {
  expect(await count(operator, later)).toMatchObject({ total })
})

it.each([
  ['lt', FEW, 0],
  ['lte', FEW, 0],
  ['eq', 0, 0],
  ['gte', MANY, ALL],
  ['gt', MANY, ALL],
])('%s a time between blocks finds %i, and before them %i', async (operator, between, total) => {
  expect(await count(operator, justBefore(later))).toMatchObject({ total: between })
  expect(await count(operator, justBefore(before))).toMatchObject({ total })
  expect(await count(operator, '2001-01-01T00:00:00.000Z')).toMatchObject({ total })
})

it('an item whose submission was under way when a block was made counts for the next one', async () => {
  await app.query(
    `WITH late AS (
       DELETE FROM block_leaves WHERE height = 1 AND leaf_index = 0 RETURNING subject_id),
     moved AS (INSERT INTO block_leaves (height, leaf_index, subject_id) SELECT 2, $1, subject_id FROM late)
     UPDATE blocks SET first_item_id = (SELECT subject_id FROM late) WHERE height = 2`,
    [MANY],
  )
  expect(await count('lt', later)).toMatchObject({ total: FEW - 1 })
  expect(await count('lte', before)).toMatchObject({ total: FEW - 1 })
  expect(await count('gt', before)).toMatchObject({ total: MANY + 1 })
  expect(await count('gte', later)).toMatchObject({ total: MANY + 1 })
  expect(await count('gt', later)).toMatchObject({ total: 0 })
})
