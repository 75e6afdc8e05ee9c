// A service with enough data for answers of the largest size: items with claims, in blocks, with deliveries.
import { openTestApp, type TestApp, type TestAppOptions } from '../support/app.ts'
import { insertItems } from '../surfaces/jsonapi/crowd.ts'

const BLOCKS = 40
const ITEMS = 4_000

/** Items of the owner, 4 KB each, a hundred per block, and as many deliveries to a deleted endpoint. */
export async function openLargeLedger(options: TestAppOptions = {}): Promise<TestApp> {
  const app = await openTestApp(options)
  await app.finalize(BLOCKS)
  const crowd = { team: app.owner.teamId, creator: app.owner.userId, from: 1, count: ITEMS, blocks: BLOCKS }
  await insertItems(app.query, crowd)
  await app.query('UPDATE items SET claims = $1 WHERE claims IS NOT NULL', [
    JSON.stringify({ name: 'x', metadata: { note: 'n'.repeat(4_000) } }),
  ])
  await app.query('ANALYZE')
  return app
}
