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
  const [block] = await app.query<{ at: string }>(
    'SELECT iso_time(finalized_at) AS at FROM blocks ORDER BY height DESC LIMIT 1',
  )
  later = block?.at ?? ''
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

it.each([
  ['lt', FEW],
  ['lte', FEW + MANY],
  ['eq', MANY],
  ['gte', MANY],
  ['gt', 0],
])('%s the time of the block finds %i', async (operator, count) => {
  const filter = `filter[committed_at][${operator}]=${later}`
  const answer = await ask(app.port, `/api/json/items?${filter}&page[count]=true&page[limit]=1`, {
    key: app.owner.key,
  })
  expect(pageOf(answer).meta).toMatchObject({ page: { total: count } })
})
