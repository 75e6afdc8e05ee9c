// Among many deliveries, every page of every sort and of every equality filter is one short range of an index.
import { beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import type { FilterTree } from '../../../server/contract/filter.ts'
import { queryFields } from '../../../server/contract/resource_fields.ts'
import { setFeatureFlag } from '../../../server/domain/accounts/feature_flag.ts'
import { WITH_MORE } from '../../../server/domain/webhooks/pulling/pull_waits.ts'
import { MOST_EVENTS, PAGE } from '../../../server/domain/webhooks/pulling/read_events.ts'
import type { TestAccount } from '../../support/app.ts'
import { testApp } from '../../support/test_app.ts'
import { contextOf, explain } from './explain.ts'
import { fillTables, fillUnindexed, indexesListed, mistakesOf } from './page_plans.ts'

const DELIVERIES = 200_000
/** Of two pull endpoints. */
const PULLED = 40_000
const delivery = catalog.related('webhook_delivery')
const fields = queryFields(delivery)

/** Indexes that the plans read. */
const used = new Set<string>()
/** Of the queue, of readers, of pruning and of statistics. */
const NO_LISTS = ['fact', 'due', 'pull', 'written', 'lost', 'age', 'outcomes'].map(
  (name) => `webhook_deliveries_${name}`,
)

const app = testApp()
let stranger: TestAccount
beforeAll(async () => {
  stranger = await app.account('grace')
  // They are older than any that is kept.
  await setFeatureFlag(app.store.em(), 'webhooks.prune', false)
  await fillTables(app, async (client) => {
    // Every tenth is somebody else's.
    await fillUnindexed(client, 'webhook_deliveries', () =>
      client.query(
        `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                       creator_id, team_id, visibility, status, http_status, attempts, completed_at,
                                       payload, inserted_at, updated_at)
       SELECT '00000000-0000-7000-8000-' || lpad(n::text, 12, '0'), CASE WHEN n % 10 = 3 THEN $2 ELSE $1 END, '00000000-0000-7000-9000-' || lpad((n % 50)::text, 12, '0'), (ARRAY['item.created', 'item.committed'])[1 + n % 2],
              'item', 'resource ' || n / 2, 'message ' || n, $1, 'team', 'private',
              (ARRAY['success', 'success', 'success', 'failed', 'cancelled'])[1 + n % 5],
              CASE WHEN n % 7 <> 0 THEN 200 + n % 300 END, 1 + n % 12, '2026-06-01', '{}',
              '2026-01-01T00:00:00Z'::timestamptz + (n / 3) * interval '1 second',
              '2026-06-01T00:00:00Z'::timestamptz + (n / 4) * interval '1 second'
         FROM generate_series(1, $3::int) AS n`,
        [app.owner.userId, stranger.userId, DELIVERIES],
      ),
    )
    await client.query(
      `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                       creator_id, team_id, visibility, status, completed_at, pull_xid, payload)
       SELECT '00000000-0000-7000-8001-' || lpad(n::text, 12, '0'), 'a reader', 'endpoint ' || n % 2, 'item.created', 'item',
              'pulled ' || n, 'pulled ' || n, 'a reader', 'team', 'private', 'success', '2026-06-01',
              (3 + n / 100)::text::xid8, '{}'
         FROM generate_series(1, $1::int) AS n`,
      [PULLED],
    )
    await client.query('ANALYZE webhook_deliveries')
  })
}, 120_000)

async function mistakes(sort: string | undefined, filter: FilterTree): Promise<string[]> {
  const tenant = { id: app.owner.teamId, name: '', role: 'owner', ownershipModel: 'creator_retains' } as const
  return mistakesOf(app, delivery, contextOf(app, app.owner, tenant), { sort, filter }, { used })
}

const named = (which: 'sort' | 'filter') =>
  Object.keys(fields).filter((name) => fields[name]?.[which] === true)

describe('a page of deliveries', () => {
  it.each(named('sort').flatMap((name) => [name, `-${name}`]))('sorted by %s', async (sort) => {
    expect(await mistakes(sort, {})).toEqual([])
  })

  it.each(
    named('filter').flatMap((name) => [
      [name, 'much', MUCH[name]],
      [name, 'nothing', NOTHING[name]],
    ]),
  )('filtered by %s, where %s is found', async (name, _, value) => {
    expect(await mistakes(undefined, { [String(name)]: String(value) })).toEqual([])
  })
})

it.each([
  ['status', 'success'],
  ['event_type', 'item.created'],
])('a page in the middle of those with a frequent %s starts there', async (name, value) => {
  const tenant = { id: app.owner.teamId, name: '', role: 'owner', ownershipModel: 'creator_retains' } as const
  const context = contextOf(app, app.owner, tenant)
  const from = {
    keyset: [`00000000-0000-7000-8000-${String(DELIVERIES / 2).padStart(12, '0')}`],
    inclusive: false,
  }
  for (const sort of ['id', '-id'])
    for (const backwards of [false, true])
      expect(
        await mistakesOf(
          app,
          delivery,
          context,
          { sort, filter: { [name]: value }, from, backwards },
          { buffers: 120 },
        ),
      ).toEqual([])
})

it.each([
  ['at the beginning', 0],
  ['in the middle', PULLED / 2],
  ['near the end', PULLED - MOST_EVENTS * 2],
])('a page for the reader of a pull endpoint, %s, is one range of an index', async (_, n) => {
  const place = { xid: String(3 + n / 100), id: '' }
  const page = { endpointId: 'endpoint 0', ...place, limit: MOST_EVENTS }
  for (const knowsValues of [true, false]) {
    const { sql: text, parameters } = PAGE(page).compile()
    const { mistakes, rows, indexes } = await explain(app, 'webhook_deliveries', text, parameters, {
      knowsValues,
      mostBuffers: 1_200,
    })
    expect({ mistakes, rows, indexes }).toMatchObject({
      mistakes: [],
      rows: MOST_EVENTS,
      indexes: expect.arrayContaining(['webhook_deliveries_pull']),
    })
  }
})

it('a look for readers that wait touches a few pages for each, at the end of many deliveries', async () => {
  const end = { xid: String(3 + PULLED / 100), id: 'ffffffff' }
  const { sql: text, parameters } = WITH_MORE({
    endpointId: Array.from({ length: 40 }, (__, n) => `endpoint ${n % 2}`),
    xid: Array.from({ length: 40 }, () => end.xid),
    id: Array.from({ length: 40 }, () => end.id),
  }).compile()
  for (const knowsValues of [true, false])
    expect(await explain(app, 'webhook_deliveries', text, parameters, { knowsValues })).toEqual({
      mistakes: [],
      rows: 0,
      indexes: ['webhook_deliveries_pull'],
    })
})

it('who has few of them reads those, and every index that is for lists was read', async () => {
  const tenant = { id: stranger.teamId, name: '', role: 'owner', ownershipModel: 'creator_retains' } as const
  expect(await mistakesOf(app, delivery, contextOf(app, stranger, tenant), {}, { used })).toEqual([])
  expect(
    indexesListed('webhook_deliveries_').filter((name) => !used.has(name) && !NO_LISTS.includes(name)),
  ).toEqual([])
})

const MUCH: Readonly<Record<string, string>> = {
  id: '00000000-0000-7000-8000-000000000009',
  endpoint_id: '00000000-0000-7000-9000-000000000007',
  event_type: 'item.created',
  resource_id: 'resource 77',
  message_id: 'message 77',
  status: 'failed',
  http_status: '207',
  inserted_at: '2026-01-01T00:01:00.000Z',
}
const NOTHING: Readonly<Record<string, string>> = {
  id: '00000000-0000-7000-a000-000000000000',
  endpoint_id: '00000000-0000-7000-a000-000000000000',
  event_type: 'nothing',
  resource_id: 'nothing',
  message_id: 'nothing',
  status: 'pending',
  http_status: '999',
  inserted_at: '2001-01-01T00:00:00.000Z',
}
