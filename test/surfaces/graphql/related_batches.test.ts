// Related rows of a list are one query, however many rows ask.
import { beforeAll, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { openContext } from '../../../server/catalog/context.ts'
import { openExpensiveReads } from '../../../server/contract/expensive_reads.ts'
import { roomOf, SHOWS_ALL } from '../../../server/contract/row_columns.ts'
import type { Caller } from '../../../server/domain/accounts/caller.ts'
import { ceilings } from '../../../server/kernel/ceilings.ts'
import { relatedLoader } from '../../../server/surfaces/graphql/schema/graphql_context.ts'
import { testApp } from '../../support/test_app.ts'

const app = testApp()
beforeAll(async () => {
  await app.finalize(4)
})

it('asks once per relationship for everything wanted in one turn, and again in the next', async () => {
  const caller: Caller = {
    userId: app.owner.userId,
    fullName: 'ada',
    plan: 'enterprise',
    credential: { kind: 'api_key', id: 'none', expiresAt: null },
    scopes: new Set(),
  }
  const em = app.store.em()
  let asked = 0
  const counting = Object.assign(Object.create(em), {
    getKysely: () => {
      asked += 1
      return em.getKysely()
    },
  })
  const expensive = () => {
    asked += 1
    return em
  }
  const services = {
    expensiveReads: openExpensiveReads({ em: expensive, connections: 1, ceilings: ceilings() }),
    tenantOf: () => Promise.reject(new Error('no tenant is needed here')),
  } as unknown as Parameters<typeof openContext>[0]['services']
  const context = await openContext(
    { store: { ...app.store, em: () => counting }, services },
    caller,
    undefined,
    'read',
  )
  const load = relatedLoader(catalog, context, { room: () => roomOf(ceilings()), shows: SHOWS_ALL })
  const block = catalog.related('block')
  const ids = (await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height')).map(({ id }) => id)
  const next = await Promise.all(ids.map((id) => load(block, 'next', id, 1)))
  expect(next.map((found) => found.map((row) => block.idOf(row)))).toEqual([
    ...ids.slice(1).map((id) => [id]),
    [],
  ])
  expect(asked).toBe(1)
  await Promise.all([...ids.map((id) => load(block, 'next', id, 1)), load(block, 'items', ids[0] ?? '', 25)])
  expect(asked).toBe(3)
})
