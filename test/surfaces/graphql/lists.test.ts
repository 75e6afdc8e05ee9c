// Lists over GraphQL: filters, sorts and pages by keyset, both ways, and what they relate to in batches.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ask } from '../../support/http.ts'
import { claimsOf } from '../../support/ledger.ts'
import { testApp } from '../../support/test_app.ts'
import { itemBody } from '../jsonapi/item_documents.ts'
import { fieldValue } from './ask_field.ts'
import { askGraphql, codesOf, graphqlOf } from './ask_graphql.ts'

const app = testApp()
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f']
beforeAll(async () => {
  for (const name of NAMES)
    await ask(app.port, '/api/json/items', {
      key: app.owner.key,
      body: itemBody({ claims: claimsOf(name), tags: [name, 'all'] }),
    })
  await app.finalize(2)
})
afterAll(async () => {
  expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
})

const page = z.looseObject({
  count: z.number().nullable().optional(),
  results: z.array(z.looseObject({ displayName: z.string().nullable().optional() })),
  startKeyset: z.string().nullable().optional(),
  endKeyset: z.string().nullable().optional(),
})
const list = (args: string, select = 'results { displayName } startKeyset endKeyset') =>
  fieldValue(app.port, app.owner.key, page, `{ listItems${args === '' ? '' : `(${args})`} { ${select} } }`)
const names = async (args: string) => (await list(args)).results.map(({ displayName }) => displayName)
const codes = async (query: string) => codesOf(await askGraphql(app.port, app.owner.key, query))

describe('filters', () => {
  it.each([
    ['filter: { displayName: { eq: "b" } }', ['b']],
    ['filter: { displayName: { in: ["b", "d", "x"] } }', ['d', 'b']],
    ['filter: { displayName: { greaterThanOrEqual: "e" } }', ['f', 'e']],
    ['filter: { displayName: { stringStartsWith: "c" } }', ['c']],
    ['filter: { displayName: { contains: "" }, tags: { has: "a" } }', ['a']],
    ['filter: { or: [{ displayName: { eq: "a" } }, { tags: { has: "c" } }] }', ['c', 'a']],
    ['filter: { not: [{ displayName: { notEq: "f" } }] }', ['f']],
    ['filter: { and: [{ displayName: { lessThan: "c" } }, { displayName: { greaterThan: "a" } }] }', ['b']],
    ['filter: { state: { eq: "CREATED" } }', []],
    ['filter: { state: { eq: "committed" }, block: { height: { eq: 1 } }, displayName: { eq: "a" } }', ['a']],
    ['filter: { creator: { id: { isNil: true } } }', []],
    ['filter: { insertedAt: { lessThan: "2001-01-01T00:00:00Z" } }', []],
  ])('%s', async (args, expected) => {
    expect(await names(args)).toEqual(expected)
  })

  it('refuses values and operators that are none, naming the place', async () => {
    expect(await codes('{ listItems(filter: { state: { eq: "x" } }) { count } }')).toEqual([
      'invalid_filter filter state eq',
    ])
    expect(await codes('{ listItems(filter: { claimsHash: { eq: "x" } }) { count } }')).toEqual([
      'invalid_filter filter claimsHash eq',
    ])
    expect(await codes('{ listItems(filter: { state: { contains: "x" } }) { count } }')).toEqual([
      'invalid_filter filter state contains',
    ])
    expect(await codes('{ listItems(filter: { state: null }) { count } }')).toEqual([
      'invalid_filter filter state',
    ])
    expect(await codes('{ listItems(filter: { claims: { eq: "x" } }) { count } }')).toEqual([
      'invalid_argument',
    ])
  })
})

describe('sorts', () => {
  it('orders by each key in turn', async () => {
    expect(await names('sort: [{ field: DISPLAY_NAME }]')).toEqual(NAMES)
    expect(
      await names('sort: [{ field: DISPLAY_NAME, order: DESC_NULLS_LAST }, { field: INSERTED_AT }]'),
    ).toEqual(NAMES.toReversed())
    expect(await names('sort: [{ field: INSERTED_AT }, null]')).toHaveLength(NAMES.length)
    expect(await names('sort: [{ field: ID, order: ASC_NULLS_FIRST }]')).toEqual(NAMES)
  })

  it('refuses a field named twice, and more fields than it takes', async () => {
    expect(await codes('{ listItems(sort: [{ field: ID }, { field: ID }]) { count } }')).toEqual([
      'invalid_sort sort',
    ])
  })
})

describe('pages', () => {
  it('walk forwards by first and after, and back again by last and before', async () => {
    const one = await list('first: 2')
    const two = await list(`first: 2, after: "${one.endKeyset}"`)
    const back = await list(`last: 2, before: "${two.startKeyset}"`)
    expect([one, two, back].map(({ results }) => results.map(({ displayName }) => displayName))).toEqual([
      ['f', 'e'],
      ['d', 'c'],
      ['f', 'e'],
    ])
  })

  it('begin at the end with last alone', async () => {
    expect(await names('last: 2')).toEqual(['b', 'a'])
    expect(await names('last: 3, sort: [{ field: DISPLAY_NAME }]')).toEqual(['d', 'e', 'f'])
    expect(await names('last: 2, sort: [{ field: DISPLAY_NAME }, { field: INSERTED_AT }]')).toEqual([
      'e',
      'f',
    ])
  })

  it('count what matches when asked, and have no keysets when empty', async () => {
    expect(await list('first: 1', 'count results { id }')).toMatchObject({ count: NAMES.length })
    expect(
      await list('filter: { displayName: { eq: "x" } }', 'count results { id } startKeyset endKeyset'),
    ).toEqual({
      count: 0,
      results: [],
      startKeyset: null,
      endKeyset: null,
    })
  })

  it.each([
    ['first: 1, last: 1', 'invalid_pagination last'],
    ['first: 1, before: "x"', 'invalid_pagination before'],
    ['last: 1, after: "x"', 'invalid_pagination after'],
    ['after: "x", before: "x"', 'invalid_pagination before'],
    ['first: 0', 'invalid_pagination first'],
    ['last: -1', 'invalid_pagination last'],
    ['after: "x"', 'invalid_keyset after'],
    ['before: ""', 'invalid_keyset before'],
  ])('refuse %s as %s', async (args, code) => {
    expect(await codes(`{ listItems(${args}) { results { id } } }`)).toEqual([code])
  })

  it('tell all mistakes of a list at once, and leave its neighbours alone', async () => {
    const answer = await askGraphql(
      app.port,
      app.owner.key,
      '{ listItems(first: 0, sort: [{ field: ID }, { field: ID }]) { count } latestBeacon { id } }',
    )
    expect(codesOf(answer).toSorted()).toEqual(['invalid_pagination first', 'invalid_sort sort'])
    expect(graphqlOf(answer).data).toMatchObject({
      listItems: null,
      latestBeacon: { id: expect.any(String) },
    })
  })

  it('clamp a size above the maximum', async () => {
    expect(await names('first: 2147483647')).toHaveLength(NAMES.length)
  })
})

describe('relationships', () => {
  it('are shown with what they relate to in turn', async () => {
    const shape = z.looseObject({
      results: z.array(
        z.looseObject({ block: z.looseObject({ items: z.array(z.unknown()) }), team: z.unknown() }),
      ),
    })
    const query =
      '{ listItems { results { id team { name users { id } } block { height next { height } items(first: 2) { displayName } } } } }'
    const { results } = await fieldValue(app.port, app.owner.key, shape, query)
    expect(results).toHaveLength(NAMES.length)
    for (const { block } of results)
      expect(block).toMatchObject({ height: 1, next: { height: 2 }, items: [{}, {}] })
  })

  it('hide what the caller may not read', async () => {
    const stranger = await app.account('mallory')
    const shape = z.looseObject({ items: z.array(z.unknown()) })
    const [block] = await app.query<{ id: string }>('SELECT id FROM blocks WHERE height = 1')
    const read = (key: string) =>
      fieldValue(app.port, key, shape, `{ getBlock(id: "${block?.id}") { items { id creator { email } } } }`)
    expect((await read(stranger.key)).items).toEqual([])
    expect((await read(app.owner.key)).items).toHaveLength(NAMES.length)
  })

  it('getX of an unknown id is null without an error', async () => {
    const answer = await askGraphql(
      app.port,
      app.owner.key,
      '{ getItem(id: "x") { id } getTeam(id: "") { id } getBlock(id: "\\u0000") { id } getUser(id: "01a2ce8e-9320-7630-bb7f-73edc8868b1d") { id } }',
    )
    expect(graphqlOf(answer)).toEqual({
      data: { getItem: null, getTeam: null, getBlock: null, getUser: null },
    })
  })
})
