// An answer has a ceiling of bytes and of included rows: lists end early and go on at links.next, and nothing is lost or told twice.
import { beforeAll, describe, expect, it } from 'vitest'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import { openTestApp } from '../../support/app.ts'
import { type Answer, ask } from '../../support/http.ts'
import { claimsOf } from '../../support/ledger.ts'
import { testApp } from '../../support/test_app.ts'
import { refusals } from './documents.ts'

const BYTES = 40_000
const INCLUDED = 16

const app = testApp({ ceilings: { response_bytes: BYTES, included_rows: INCLUDED } })
/** Ids of all items, oldest first; each has some 5 KB of claims. */
const items: string[] = []
beforeAll(async () => {
  for (let block = 0; block < 5; block += 1) {
    const answer = await ask(app.port, '/api/json/items/batch', {
      key: app.owner.key,
      body: {
        json: {
          data: {
            items: Array.from({ length: 6 }, (_, index) => ({
              claims: { ...claimsOf(`file ${block} ${index}`), metadata: { note: 'é'.repeat(2_500) } },
            })),
          },
        },
      },
    })
    const { result } = answer.json() as { result: { items: { id: string }[] } }
    items.push(...result.items.map(({ id }) => id))
    await app.finalize()
  }
  items.sort()
})

const get = (path: string): Promise<Answer> => ask(app.port, path, { key: app.owner.key })

interface Page {
  readonly data: readonly { readonly id: string }[]
  readonly included?: readonly { readonly type: string; readonly id: string }[]
  readonly links: { readonly next: string | null; readonly prev: string | null }
  readonly meta: { readonly page: { readonly limit: number } }
}

/** Every page from there on. */
async function walk(path: string, by: 'next' | 'prev' = 'next'): Promise<Page[]> {
  const pages: Page[] = []
  for (let at: string | null = path; at !== null; ) {
    const answer = await get(at)
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(BYTES)
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
    const page = answer.json() as Page
    pages.push(page)
    const link: string | null = page.links[by]
    at = link === null ? null : link.slice(app.base.length)
  }
  return pages
}

const idsOf = (pages: readonly Page[]): string[] => pages.flatMap(({ data }) => data.map(({ id }) => id))

describe('a list that would pass the ceiling of bytes', () => {
  it.each(['', '&filter[state][not_eq]=redacted', '&page[offset]=0', '&sort=display_name'])(
    'ends early and goes on at links.next, and every row is served once%s',
    async (parameters) => {
      const pages = await walk(`/api/json/items?page[limit]=250${parameters}`)
      expect(pages.length).toBeGreaterThan(3)
      expect(idsOf(pages).toSorted()).toEqual(items)
      for (const { data, meta } of pages.slice(0, -1)) {
        expect(meta.page.limit).toBe(data.length)
        // As much as fits: one more would be beyond.
        expect((data.length + 1) * 6_000).toBeGreaterThan(BYTES - 6_000)
      }
    },
  )

  it('walks back the same way, from where it was read', async () => {
    const forth = await walk('/api/json/items?page[limit]=250&sort=id')
    expect(idsOf(forth)).toEqual(items)
    const before = `page[before]=${new URL(forth.at(-2)?.links.next ?? '').searchParams.get('page[after]')}`
    const back = await walk(`/api/json/items?page[limit]=250&sort=id&${before}`, 'prev')
    expect(back.length).toBeGreaterThan(2)
    const known = items.indexOf(forth.at(-1)?.data[0]?.id ?? '')
    expect(idsOf(back.toReversed())).toEqual(items.slice(0, known - 1))
  })

  it('is whole where fields leave the large ones out, and those are not read at all', async () => {
    const [page] = await walk('/api/json/items?page[limit]=250&fields[item]=state,claims_hash')
    expect(page?.data).toHaveLength(items.length)
    expect(page?.meta.page.limit).toBe(250)
  })
})

describe('a list that would pass the ceiling of included rows', () => {
  it('ends before the row whose related rows would, with full linkage', async () => {
    const pages = await walk(
      '/api/json/blocks?include=items&fields[item]=state&fields[block]=height,items&sort=id',
    )
    const whole = await walk('/api/json/blocks?sort=id')
    expect(idsOf(pages)).toEqual(idsOf(whole))
    expect(pages.length).toBeGreaterThan(1)
    for (const { data, included = [] } of pages) {
      expect(included.length).toBeLessThanOrEqual(INCLUDED)
      const linked = JSON.stringify(data.map((one) => Reflect.get(one, 'relationships')))
      for (const { id } of included) expect(linked).toContain(id)
    }
    expect(pages.flatMap(({ included = [] }) => included.map(({ id }) => id)).toSorted()).toEqual(items)
  })

  it('of nested relationships too, and a record that is cut off the page is still included where it is linked', async () => {
    const pages = await walk('/api/json/blocks?include=previous.items,items&fields[item]=state&sort=-id')
    expect(idsOf(pages)).toEqual(idsOf(await walk('/api/json/blocks?sort=-id')))
    for (const { data, included = [] } of pages) {
      const there = new Set([...data, ...included].map(({ id }) => id))
      for (const one of data) {
        const { previous } = Reflect.get(one, 'relationships') as { previous: { data: { id: string } } }
        expect(there).toContain(previous.data.id)
      }
    }
  })
})

describe('a single record beyond the ceiling', () => {
  it('is 400 response_too_large, and says the ceilings', async () => {
    const [largest] = await app.query<{ id: string }>('SELECT id FROM blocks WHERE item_count > 0 LIMIT 1')
    const other = await openTestApp({ beside: app, ceilings: { response_bytes: BYTES, included_rows: 3 } })
    for (const path of [`/api/json/blocks/${largest?.id}?include=items`, '/api/json/blocks?include=items']) {
      const answer = await ask(other.port, path, { key: app.owner.key })
      expect(refusals(answer)).toEqual(['400 response_too_large'])
      expect((answer.json() as { errors: object[] }).errors[0]).toMatchObject({
        meta: { max_bytes: BYTES, max_included: 3 },
      })
    }
    await other.close()
  })

  it('is what a write answers without its includes, because it was written', async () => {
    const other = await openTestApp({ beside: app, ceilings: { response_bytes: BYTES, included_rows: 1 } })
    const team = await app.team(app.owner)
    for (const name of ['a', 'b'])
      await app.join(team, (await app.account(newUuid7())).userId, name === 'a' ? 'admin' : 'member')
    const answer = await ask(other.port, `/api/json/teams/${team}?include=memberships`, {
      method: 'PATCH',
      key: app.owner.key,
      body: { json: { data: { type: 'team', id: team, attributes: { name: 'renamed' } } } },
    })
    expect([answer.status, answer.text.includes('renamed')]).toEqual([200, true])
    await other.close()
  })
})

const graphql = (selection: string): Promise<Answer> =>
  ask(app.port, '/gql', {
    key: app.owner.key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ ${selection} }` }),
  })

it('GraphQL has no shorter pages: 400 response_too_large stands in its errors, with the ceilings', async () => {
  const query = async (selection: string) => {
    const { errors = [] } = (await graphql(selection)).json() as {
      errors?: { extensions: { code: string; meta: object } }[]
    }
    for (const { extensions } of errors)
      expect(extensions.meta).toEqual({ max_bytes: BYTES, max_included: INCLUDED })
    return errors.map(({ extensions }) => extensions.code)
  }
  expect(await query('listItems(first: 100) { results { id claims } }')).toEqual(['response_too_large'])
  expect(await query('listItems(first: 100) { results { id } }')).toEqual([])
  expect(await query('listBlocks(first: 20) { results { id items(first: 20) { id } } }')).toContain(
    'response_too_large',
  )
  // One answer has one room, however many names it asks under.
  expect(
    await query(
      'a: listItems(first: 5) { results { claims } } b: listItems(first: 5) { results { claims } }',
    ),
  ).toEqual(['response_too_large'])
})

it.each([
  ['a list', (names: string) => `listItems(first: 5) { results { ${names} } }`],
  ['one record', (names: string) => `getItem(id: "${items[0]}") { ${names} }`],
  ['related records', (names: string) => `listBlocks(first: 2) { results { items(first: 2) { ${names} } } }`],
])('GraphQL counts a value under every name that it is shown: %s', async (_, ask) => {
  const named = (count: number) => Array.from({ length: count }, (_, index) => `n${index}: claims`).join(' ')
  expect((await graphql(ask(named(1)))).text).toContain('"n0":')
  const answer = await graphql(ask(named(25)))
  expect(Buffer.byteLength(answer.text)).toBeLessThan(1_000)
  expect(answer.json()).toMatchObject({
    data: null,
    errors: [
      { extensions: { code: 'response_too_large', meta: { max_bytes: BYTES, max_included: INCLUDED } } },
    ],
  })
})

it('GraphQL says of a mutation that it was done, when its answer would be too large', async () => {
  const names = Array.from({ length: 25 }, (_, index) => `n${index}: claims`).join(' ')
  const update = `updateItem(id: "${items[0]}", input: { tags: ["seen"] }) { result { ${names} } }`
  const answer = await ask(app.port, '/gql', {
    key: app.owner.key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `mutation { ${update} }` }),
  })
  expect(answer.json()).toMatchObject({
    data: null,
    errors: [
      { message: 'done, but its answer would be too large', extensions: { code: 'response_too_large' } },
    ],
  })
  expect((await get(`/api/json/items/${items[0]}`)).text).toContain('"tags":["seen"]')
})
