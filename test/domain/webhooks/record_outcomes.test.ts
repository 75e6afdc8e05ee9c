// Outcomes of many endpoints are recorded by one statement, beside statements of others that lock the same rows.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { WebhookDelivery } from '../../../server/domain/webhooks/deliveries/delivery.ts'
import { disableEndpointsOf } from '../../../server/domain/webhooks/endpoints/endpoint.ts'
import type { OutcomeRecord } from '../../../server/domain/webhooks/sending/record_outcomes.ts'
import { rows } from '../../support/rows.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'
import { hold, somebodyWaits } from '../ledger/until.ts'

const ENDPOINTS = 12

let webhooks: TestWebhooks
beforeAll(async () => {
  webhooks = await openTestWebhooks()
})
afterAll(() => webhooks.close())

const em = () => webhooks.ledger.store.em()

const delivered = ({ id, endpointId }: WebhookDelivery): OutcomeRecord => ({
  deliveryId: id,
  endpointId,
  outcome: { status: 'success', httpStatus: 200, error: null, waitMs: null },
  entry: {
    number: 1,
    at: new Date().toISOString(),
    resolved_addresses: [],
    address: null,
    http_status: 200,
    error: null,
    duration_ms: 1,
  },
  responseBody: null,
})

/** While another session has the first endpoint, `act` waits for it and has locked none of the others. */
async function waitsForTheFirst(act: () => Promise<unknown>): Promise<void> {
  const LOCK = 'SELECT id FROM webhook_endpoints WHERE id'
  const first = await hold(em(), (tx) =>
    rows(tx, `${LOCK} = (SELECT min(id) FROM webhook_endpoints) FOR UPDATE`),
  )
  const acted = act()
  try {
    await somebodyWaits(em())
    const others = await rows(em(), `${LOCK} > (SELECT min(id) FROM webhook_endpoints) FOR UPDATE NOWAIT`)
    expect(others).toHaveLength(ENDPOINTS - 1)
  } finally {
    await first.commit()
  }
  await acted
}

it('endpoints are locked in the order of their ids, so that no two statements wait for each other for ever', async () => {
  for (let count = 0; count < ENDPOINTS; count += 1)
    await webhooks.endpoint({ url: 'https://127.0.0.1/', events: ['item.created'] })
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  const outcomes = (await webhooks.deliveries()).map(delivered)
  expect(outcomes).toHaveLength(ENDPOINTS)
  // The order of rows in the table is another one than that of their ids.
  await webhooks.query(
    `UPDATE webhook_endpoints SET description = 'moved' WHERE id < (SELECT max(id) FROM webhook_endpoints)`,
  )
  // So the planner reads the few rows as they lie in the table.
  await webhooks.query('ANALYZE webhook_endpoints, webhook_deliveries')
  outcomes.sort((one, other) => (one.endpointId < other.endpointId ? 1 : -1))
  await waitsForTheFirst(() => Promise.all(outcomes.map(webhooks.tools.record)))
  expect(new Set((await webhooks.deliveries()).map(({ status }) => status))).toEqual(new Set(['success']))
  await waitsForTheFirst(() => disableEndpointsOf(em(), webhooks.ledger.userId))
})
