// Deliveries are forgotten after 31 days, piece by piece, unless the operator has switched that off.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { setFeatureFlag } from '../../../server/domain/accounts/feature_flag.ts'
import { pruneDeliveries, pruneKeptItems } from '../../../server/domain/webhooks/deliveries/delivery.ts'
import { rows } from '../../support/rows.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'
import { hold, somebodyWaits } from '../ledger/until.ts'

let webhooks: TestWebhooks
beforeAll(async () => {
  webhooks = await openTestWebhooks()
})
afterAll(() => webhooks.close())

it('what is older than 31 days goes, at most a piece at a time, and what is younger stays', async () => {
  const em = webhooks.ledger.store.em()
  await webhooks.endpoint({ url: 'https://hooks.example.com/', events: ['item.created'] })
  await webhooks.ledger.submit(...Array.from({ length: 17 }, () => ({})))
  await webhooks.fanOutAll()
  const ids = (await webhooks.deliveries()).map(({ id }) => id)
  const age = (which: readonly string[], days: number) =>
    webhooks.query(
      `UPDATE webhook_deliveries SET inserted_at = now() - $2 * interval '1 day' WHERE id = ANY($1::text[])`,
      [which, days],
    )
  await age(ids.slice(0, 15), 31.01)
  await age(ids.slice(15, 16), 30.99)
  await setFeatureFlag(em, 'webhooks.prune', false)
  expect(await pruneDeliveries(em, 1)).toBe(0)
  await setFeatureFlag(em, 'webhooks.prune', true)
  expect(await pruneDeliveries(em, 1)).toBe(10)
  expect(await pruneDeliveries(em, 1)).toBe(5)
  expect(await pruneDeliveries(em, 1)).toBe(0)
  expect((await webhooks.deliveries()).map(({ id }) => id)).toEqual(ids.slice(15))
})

it('servers that prune at once delete each row once, and what is changed meanwhile goes with a later piece', async () => {
  const em = webhooks.ledger.store.em()
  await webhooks.query(`UPDATE webhook_deliveries SET inserted_at = now() - interval '40 days'`)
  const before = await webhooks.deliveries()
  const held = await hold(em, (tx) =>
    rows(tx, 'UPDATE webhook_deliveries SET duration_ms = 1 WHERE id = $1', [before[0]?.id]),
  )
  const atOnce = Promise.all([pruneDeliveries(em, 10), pruneDeliveries(em, 10)])
  await somebodyWaits(em, 2)
  await held.commit()
  expect((await atOnce).toSorted((one, other) => one - other)).toEqual([0, before.length - 1])
  expect(await pruneDeliveries(em, 10)).toBe(1)
})

it('what was kept for a fact goes once the fact has left the queue, not before', async () => {
  const em = webhooks.ledger.store.em()
  const keep = (factId: number) =>
    webhooks.query(
      `INSERT INTO webhook_kept_items (fact_id, item_id, creator_id, team_id, visibility, data)
       VALUES ($1, 'item', 'creator', 'team', 'private', '{}')`,
      [factId],
    )
  await webhooks.query(
    `INSERT INTO webhook_facts (fact_id, event, subject_id, data, newest_endpoint, height)
     VALUES (-1, 'item.committed', 'b', '{}', 1, 1)`,
  )
  await keep(-2)
  await keep(-1)
  expect(await pruneKeptItems(em, 10)).toBe(1)
  expect(await webhooks.query('SELECT fact_id::int FROM webhook_kept_items')).toEqual([{ fact_id: -1 }])
})
