// The statistics of an endpoint: every delivery of the last 24 hours counts once, by how it stands, and one index is read.
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  endpointStatistics,
  type RunStatement,
} from '../../../server/domain/webhooks/endpoints/endpoint_statistics.ts'
import type { Store } from '../../../server/store/open_store.ts'
import { rows as runRows } from '../../../server/store/statement.ts'
import { rows } from '../../support/rows.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'

let webhooks: TestWebhooks
/** Its clock stands at half past an hour, so that no hour begins while a test runs. */
let store: Store
beforeAll(async () => {
  webhooks = await openTestWebhooks()
  const minute = 60_000
  const sinceHalf = (Date.now() + 30 * minute) % (60 * minute)
  store = await webhooks.ledger.openSkewed(`${60 * minute - sinceHalf} milliseconds`)
})
afterAll(() => webhooks.close())

const query: RunStatement = (one) => runRows(store.em(), one)

let last = 0
/** Makes `count` deliveries `minutes` ago; one that has ended ended a minute later. */
async function deliveries(
  endpointId: string,
  count: number,
  given: { minutes: number; status: string; attempts?: number; ms?: number; error?: string },
): Promise<void> {
  const { minutes, status, attempts = 1, ms = null, error = null } = given
  last += count
  await rows(
    store.em(),
    `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                     creator_id, team_id, visibility, status, attempts, duration_ms, error, payload,
                                     next_attempt_at, completed_at, last_attempt_at, inserted_at)
     SELECT 'd' || n, $1, $2, 'item.created', 'item', 'r' || n, 'm' || n, $1, $3, 'private', $4, $5, $6, $7, '{}',
            CASE WHEN $4 = 'pending' THEN pharos_now() END, CASE WHEN $4 <> 'pending' THEN made + interval '1 minute' END,
            CASE WHEN $5 > 0 THEN made + interval '1 minute' END, made
       FROM generate_series($8::int - $9::int + 1, $8::int) n,
            LATERAL (SELECT pharos_now() - $10 * interval '1 minute' AS made) AS at`,
    [
      webhooks.ledger.userId,
      endpointId,
      webhooks.ledger.teamId,
      status,
      attempts,
      ms,
      error,
      last,
      count,
      minutes,
    ],
  )
}

const NONE = { success: 0, failed: 0, retrying: 0, pending: 0, cancelled: 0, p50: null, p95: null }

describe('the statistics of an endpoint', () => {
  it('count each delivery once, in the hour in which it was made, by how it stands now', async () => {
    const { id } = await webhooks.endpoint({ url: 'https://hooks.example.com/' })
    const other = await webhooks.endpoint({ url: 'https://other.example.com/' })
    await deliveries(id, 19, { minutes: 1, status: 'success', ms: 40 })
    await deliveries(id, 1, { minutes: 1, status: 'success', ms: 3_456 })
    await deliveries(id, 3, { minutes: 20, status: 'pending', ms: 120, error: 'the receiver answered 503' })
    await deliveries(id, 4, { minutes: 1, status: 'pending', attempts: 0 })
    // Half an hour past the hour: 31 minutes ago is the hour before.
    await deliveries(id, 2, { minutes: 31, status: 'failed', attempts: 12, error: 'connection refused' })
    await deliveries(id, 5, {
      minutes: 31,
      status: 'cancelled',
      attempts: 0,
      error: 'the endpoint is disabled',
    })
    await deliveries(id, 1, { minutes: 23 * 60 + 29, status: 'success', ms: 500 })
    await deliveries(id, 7, { minutes: 23 * 60 + 31, status: 'success', ms: 1 })
    await deliveries(other.id, 9, { minutes: 1, status: 'failed', error: 'not of this endpoint' })

    const told = await endpointStatistics({ query }, { id, userId: webhooks.ledger.userId })
    const counts = { success: 21, failed: 2, retrying: 3, pending: 4, cancelled: 5 }
    expect(told).toMatchObject({ id, ...counts, p50: 40, p95: 500 })
    expect(told.newestError?.words).toBe('the receiver answered 503')
    const begins = told.hours.map(({ at }) => at.getTime())
    expect(begins).toHaveLength(24)
    for (const [index, at] of begins.entries()) expect(at - (begins[0] ?? 0)).toBe(index * 3_600_000)
    expect((begins[0] ?? 1) % 3_600_000).toBe(0)
    expect(told.hours.at(-1)).toMatchObject({
      ...NONE,
      success: 20,
      retrying: 3,
      pending: 4,
      p50: 40,
      p95: 120,
    })
    expect(told.hours.at(-2)).toMatchObject({ ...NONE, failed: 2, cancelled: 5 })
    expect(told.hours[0]).toMatchObject({ ...NONE, success: 1, p50: 500, p95: 500 })
    for (const hour of told.hours.slice(1, -2)) expect(hour).toMatchObject(NONE)
    const failedAt = (told.newestError?.at.getTime() ?? 0) - (begins.at(-1) ?? 0)
    expect(Math.floor(failedAt / 60_000), 'half past, 20 minutes ago, a minute later').toBe(11)
  })

  it('round long durations down, by less than 5 %', async () => {
    const { id } = await webhooks.endpoint({ url: 'https://hooks.example.com/' })
    await deliveries(id, 9, { minutes: 1, status: 'success', ms: 209 })
    await deliveries(id, 1, { minutes: 1, status: 'success', ms: 14_999 })
    const told = await endpointStatistics({ query }, { id, userId: webhooks.ledger.userId })
    expect([told.p50, told.p95]).toEqual([200, 14_900])
  })

  it('are all zero for an endpoint without deliveries, and nobody else’s to read', async () => {
    const { id } = await webhooks.endpoint({ url: 'https://hooks.example.com/' })
    const { userId } = webhooks.ledger
    expect(await endpointStatistics({ query }, { id, userId })).toMatchObject({ ...NONE, newestError: null })
    await expect(endpointStatistics({ query }, { id, userId: 'somebody else' })).rejects.toMatchObject({
      code: 'not_found',
    })
    await expect(endpointStatistics({ query }, { id: 'unknown', userId })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('read one range of an index that holds all that is counted, and one delivery for the error', async () => {
    const { id } = await webhooks.endpoint({ url: 'https://hooks.example.com/' })
    await deliveries(id, 1, { minutes: 5, status: 'failed', error: 'connection refused' })
    for (let hour = 0; hour < 60; hour += 1)
      await deliveries(hour % 10 === 0 ? id : `another ${hour}`, 100, {
        minutes: 60 * hour,
        status: 'success',
        ms: 9,
      })
    await rows(store.em(), 'VACUUM (ANALYZE) webhook_deliveries')
    const plans: unknown[] = []
    const explaining: RunStatement = async (one) => {
      const { sql, parameters } = one.compile()
      const asked = CompiledQuery.raw(`EXPLAIN (FORMAT JSON) ${sql}`, [...parameters])
      plans.push((await store.em().getKysely().executeQuery(asked)).rows)
      return runRows(store.em(), one)
    }
    await endpointStatistics({ query: explaining }, { id, userId: webhooks.ledger.userId })
    const reads = JSON.stringify(plans).matchAll(
      /"Node Type":"([^"]*)"[^{}]*?"Relation Name":"webhook_deliveries"/g,
    )
    const text = JSON.stringify(plans)
    expect([...reads].map(([, node]) => node).toSorted(), text).toEqual(['Index Only Scan', 'Index Scan'])
    expect(text.match(/"Index Name":"webhook_deliveries_\w+"/g), text).toEqual(
      Array(2).fill('"Index Name":"webhook_deliveries_outcomes"'),
    )
  })
})
