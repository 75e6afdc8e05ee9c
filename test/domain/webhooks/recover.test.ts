// Sending again what did not get through: once each, however many ask at once, and only what had ended when they asked.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { recover } from '../../../server/domain/webhooks/deliveries/replay.ts'
import { sendRetries } from '../../../server/jobs/retry_webhooks.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'

let webhooks: TestWebhooks
beforeAll(async () => {
  webhooks = await openTestWebhooks()
})
afterAll(() => webhooks.close())
beforeEach(async () => {
  await webhooks.query('DELETE FROM webhook_endpoints')
  await webhooks.query('DELETE FROM webhook_deliveries')
})

/** More than one piece. */
const LOST = 4_500

/** An endpoint with so many deliveries that were cancelled a day ago. */
async function endpointThatLost(count: number): Promise<string> {
  const { id } = await webhooks.endpoint({ url: 'https://hooks.example.com/' })
  await webhooks.query(
    `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                     creator_id, team_id, visibility, status, completed_at, inserted_at, payload)
     SELECT 'lost ' || n, $2, $1, 'item.created', 'item', 'item ' || n, 'msg ' || n, $2, 'team', 'private',
            'cancelled', now() - interval '1 day' + n * interval '1 millisecond', now() - interval '1 day', '{}'
       FROM generate_series(1, $3::int) AS n`,
    [id, webhooks.ledger.userId, count],
  )
  return id
}

const WEEK_AGO = new Date(Date.now() - 7 * 86_400_000)

const recoverSince = (endpointId: string, since: Date, withinMs?: number) =>
  recover(
    { em: webhooks.ledger.store.em(), sendRetries, ...(withinMs === undefined ? {} : { withinMs }) },
    { endpointId, userId: webhooks.ledger.userId, since },
  )

/** However long it takes, in one call. */
const recoverAll = async (endpointId: string): Promise<number> => {
  const { count, next } = await recoverSince(endpointId, WEEK_AGO, 100_000)
  expect(next).toBeUndefined()
  return count
}

it('what is sent again and ends at once is not sent again by the same call', async () => {
  const id = await endpointThatLost(LOST)
  await webhooks.query(`
    CREATE FUNCTION end_at_once() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.status := 'cancelled';
        NEW.next_attempt_at := NULL;
        NEW.completed_at := pharos_now() + interval '1 second';
        RETURN NEW;
      END
    $$`)
  await webhooks.query(`
    CREATE TRIGGER end_at_once BEFORE INSERT ON webhook_deliveries FOR EACH ROW EXECUTE FUNCTION end_at_once()`)
  try {
    expect(await recoverAll(id)).toBe(LOST)
  } finally {
    await webhooks.query('DROP TRIGGER end_at_once ON webhook_deliveries')
  }
})

it('several who ask at once send everything again once', async () => {
  const id = await endpointThatLost(LOST)
  const counts = await Promise.all(Array.from({ length: 4 }, () => recoverAll(id)))
  expect(counts.reduce((sum, count) => sum + count)).toBe(LOST)
  const [twice] = await webhooks.query<{ count: number }>(
    `SELECT count(*)::int AS count
       FROM (SELECT message_id FROM webhook_deliveries GROUP BY message_id HAVING count(*) > 2) AS again`,
  )
  expect(twice?.count).toBe(0)
})

it('a call that has no more time says from when on to ask, and nothing is lost or there twice', async () => {
  const id = await endpointThatLost(LOST)
  const counts: number[] = []
  for (let since: Date | undefined = WEEK_AGO; since !== undefined; ) {
    const { count, next } = await recoverSince(id, since, 0)
    counts.push(count)
    since = next
  }
  expect(counts).toHaveLength(3)
  expect(counts.reduce((sum, count) => sum + count)).toBe(LOST)
  expect(await recoverAll(id)).toBe(0)
})
