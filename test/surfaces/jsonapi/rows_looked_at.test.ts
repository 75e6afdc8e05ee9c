// How many rows a list looks at: beyond the ceiling it is refused; below it nothing is skipped, however rare the rows are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setFeatureFlag } from '../../../server/domain/accounts/feature_flag.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { askGraphql, codesOf } from '../graphql/ask_graphql.ts'
import { errorsOf, type Page, pageOf, refusals } from './documents.ts'

const ROWS = 12_000
/** More than one piece of a walk, and fewer than there are rows. */
const CEILING = 6_000
/** One in so many has the word in it. */
const RARE = 701

const app = testApp({ ceilings: { rows_looked_at: CEILING } })
/** On the same rows, with the ceiling that servers have. */
let ample: TestApp
beforeAll(async () => {
  ample = await openTestApp({ beside: app })
  await setFeatureFlag(app.store.em(), 'webhooks.prune', false)
  await app.query(
    `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                     creator_id, team_id, visibility, status, http_status, completed_at, payload,
                                     inserted_at)
     SELECT '00000000-0000-7000-8000-' || lpad(n::text, 12, '0'), $1, 'e', CASE WHEN n % 3 = 0 THEN 'third' ELSE 'other' END,
            'item', CASE WHEN n % $3::int = 0 THEN 'rare ' ELSE 'often ' END || n, 'm' || n / 10, $1, 't', 'private',
            (ARRAY['success', 'failed'])[1 + n % 2], 200, '2026-06-01', '{}',
            '2026-01-01T00:00:00Z'::timestamptz + (n * 7919 % 5000) * interval '1 second'
       FROM generate_series(1, $2::int) AS n`,
    [app.owner.userId, ROWS, RARE],
  )
  await app.query('ANALYZE webhook_deliveries')
})
afterAll(async () => {
  await ample.close()
})

const list = (on: TestApp, query: string) =>
  ask(on.port, `/api/json/webhook-deliveries?${query}`, { key: app.owner.key })
const read = async (on: TestApp, query: string): Promise<Page> => pageOf(await list(on, query))

const rareIds = Array.from({ length: Math.floor(ROWS / RARE) }, (_, n) => n + 1).map(
  (n) => `00000000-0000-7000-8000-${String(n * RARE).padStart(12, '0')}`,
)
const RARELY = 'filter[resource_id][contains]=rare'

async function walk(first: string, side: 'next' | 'prev'): Promise<string[]> {
  const ids: string[] = []
  let page = await read(ample, first)
  for (;;) {
    const here = page.data.map(({ id }) => id)
    ids.push(...(side === 'next' ? here : here.toReversed()))
    const link = page.links[side]
    if (typeof link !== 'string') return ids
    page = await read(ample, new URL(link).search.slice(1))
  }
}

describe('below the ceiling, rare rows far apart are all found', () => {
  it.each(['-id', 'id', 'status', '-inserted_at'])('by links, sort=%s', async (sort) => {
    const forwards = await walk(`${RARELY}&sort=${sort}&page[limit]=5`, 'next')
    expect(forwards.toSorted()).toEqual(rareIds)
    const reversed = sort.split(',').map((key) => (key.startsWith('-') ? key.slice(1) : `-${key}`))
    const backwards = await walk(`${RARELY}&sort=${reversed}&page[limit]=4`, 'next')
    expect(backwards).toEqual(forwards.toReversed())
    const { links } = await read(ample, `${RARELY}&sort=${sort}&page[limit]=${forwards.length - 1}`)
    const last = new URL(String(links.next)).search.slice(1)
    expect(await walk(last, 'prev')).toEqual(forwards.toReversed())
  })

  it.each(['-id', 'status'])('by offset, sort=%s', async (sort) => {
    const whole = await walk(`${RARELY}&sort=${sort}&page[limit]=250`, 'next')
    for (const offset of [0, 1, 7, rareIds.length - 1, rareIds.length, 5_000]) {
      const { data } = await read(ample, `${RARELY}&sort=${sort}&page[limit]=3&page[offset]=${offset}`)
      expect(data.map(({ id }) => id)).toEqual(whole.slice(offset, offset + 3))
    }
  })

  it('and counted', async () => {
    const { meta } = await read(ample, `${RARELY}&page[count]=true`)
    expect(meta.page.total).toBe(rareIds.length)
    expect((await read(ample, 'page[count]=true')).meta.page.total).toBe(ROWS)
  })
})

const BEYOND: readonly (readonly [what: string, query: string])[] = [
  ['rows that must be judged', RARELY],
  ['rows that must be judged in the order of a sort', `${RARELY}&sort=inserted_at`],
  ['a count of all rows', 'page[count]=true&page[limit]=1'],
  ['a count of judged rows', 'filter[event_type][not_eq]=nothing&page[count]=true&page[limit]=1'],
  ['an offset', `page[offset]=${CEILING + 100}`],
  ['an offset among judged rows', `filter[event_type][not_eq]=nothing&page[offset]=${CEILING + 100}`],
]

describe('beyond the ceiling', () => {
  it.each(BEYOND)('%s is refused with the number', async (_, query) => {
    const answer = await list(app, query)
    expect(refusals(answer)).toEqual(['400 query_too_expensive'])
    expect(errorsOf(answer)[0]?.meta).toEqual({ maximum_rows: CEILING })
  })

  it('GraphQL is refused in the same way', async () => {
    const asked = `{ listWebhookDeliveries(filter: {resourceId: {contains: "rare"}}) { results { id } } }`
    const answer = await askGraphql(app.port, app.owner.key, asked)
    expect(codesOf(answer)).toEqual(['query_too_expensive'])
    expect(answer.text).toContain(`"meta":{"maximum_rows":${CEILING}}`)
    expect(codesOf(await askGraphql(app.port, app.owner.key, '{ listWebhookDeliveries { count } }'))).toEqual(
      ['query_too_expensive'],
    )
  })
})

describe('no ceiling is met by', () => {
  it.each([
    ['a page that is full soon', 'filter[event_type][not_eq]=other&page[limit]=250', 250],
    ['a value that an index finds', 'filter[resource_id]=rare%20701', 1],
    [
      'a condition with few rows beside others',
      'filter[message_id]=m70&filter[resource_id][contains]=rare',
      1,
    ],
    [
      'few values of a list, sorted',
      'filter[message_id][in][]=m70&filter[message_id][in][]=m140&sort=status',
      20,
    ],
    [
      'a range of the column that is sorted by',
      'sort=inserted_at&filter[inserted_at][lt]=2026-01-01T00:00:01Z',
      2,
    ],
    ['a range of ids', `filter[id][lte]=${rareIds[0]}&filter[resource_id][contains]=rare`, 1],
    ['an offset within it', `page[offset]=${CEILING - 100}&page[limit]=5`, 5],
    ['an offset beyond a short list', 'filter[message_id]=m70&page[offset]=99999999999999999999', 0],
  ])('%s', async (_, query, rows) => {
    const { data } = await read(app, query)
    expect(data.length).toBe(rows)
  })

  it('a total that it holds', async () => {
    const { meta } = await read(app, 'filter[event_type]=third&page[count]=true')
    expect(meta.page.total).toBe(ROWS / 3)
  })
})
