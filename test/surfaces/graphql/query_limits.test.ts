// What one GraphQL operation may ask for: depth, complexity and aliases, however it is written.

import { getIntrospectionQuery } from 'graphql'
import { afterAll, describe, expect, it } from 'vitest'
import { testApp } from '../../support/test_app.ts'
import { askGraphql, codesOf, graphqlOf } from './ask_graphql.ts'

const app = testApp()
afterAll(async () => {
  expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
})

const send = (query: string, variables: object = {}) =>
  askGraphql(app.port, app.owner.key, query, { variables })
const limitOf = async (query: string, variables: object = {}) => {
  const { data, errors } = graphqlOf(await send(query, variables))
  expect(data).toBeUndefined()
  return errors?.map(({ extensions: { code, meta } }) => [code, meta?.limit])
}
const nested = (levels: number): string =>
  `{ getBlock(id: "x") ${'{ previous '.repeat(levels)}{ id }${' }'.repeat(levels)} }`

describe('limits', () => {
  it('12 levels are answered, 13 are too deep', async () => {
    expect(graphqlOf(await send(nested(10))).data).toEqual({ getBlock: null })
    expect(await limitOf(nested(11))).toEqual([['query_too_expensive', 'depth']])
  })

  it('30 aliases are answered, 31 are too many, in fragments too', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `a${index}: id`).join(' ')
    expect(graphqlOf(await send(`{ latestBeacon { ${many(30)} } }`)).errors).toBeUndefined()
    expect(await limitOf(`{ latestBeacon { ${many(31)} } }`)).toEqual([['query_too_expensive', 'aliases']])
    expect(await limitOf(`{ latestBeacon { ...F } } fragment F on Beacon { ${many(31)} }`)).toEqual([
      ['query_too_expensive', 'aliases'],
    ])
  })

  it('a whole page with all its own fields is answered, lists within lists add up', async () => {
    const all = 'id state claimsHash itemHash visibility tags teamId insertedAt updatedAt'
    expect(graphqlOf(await send(`{ listItems(first: 250) { results { ${all} } } }`)).errors).toBeUndefined()
    const within = '{ results { items(first: 25) { id } } } }'
    expect(await limitOf(`{ listBlocks(first: 250) ${within}`)).toEqual([
      ['query_too_expensive', 'complexity'],
    ])
    expect(await limitOf(`query ($n: Int) { listBlocks(last: $n) ${within}`, { n: 250 })).toEqual([
      ['query_too_expensive', 'complexity'],
    ])
    expect(graphqlOf(await send(`{ listBlocks(first: 50) ${within}`)).errors).toBeUndefined()
  })

  it('fragments that multiply are refused before they are walked to the end', async () => {
    const fragments = Array.from(
      { length: 40 },
      (_, index) => `fragment F${index} on RootQueryType { ...F${index + 1} ...F${index + 1} }`,
    )
    const began = performance.now()
    expect(
      await limitOf(`{ ...F0 } ${fragments.join(' ')} fragment F40 on RootQueryType { latestBeacon { id } }`),
    ).toEqual([['query_too_expensive', 'complexity']])
    expect(performance.now() - began).toBeLessThan(20_000)
    expect(
      codesOf(
        await send('{ ...A } fragment A on RootQueryType { ...B } fragment B on RootQueryType { ...A }'),
      ),
    ).toEqual(['invalid_argument'])
  })

  it('a variable that is left out counts as its default, one that is null as none', async () => {
    const query = (byDefault: number) =>
      `query ($n: Int = ${byDefault}) { listBlocks(first: $n) { results { items(first: 25) { id } } } }`
    expect(await limitOf(query(250))).toEqual([['query_too_expensive', 'complexity']])
    expect(graphqlOf(await send(query(50))).errors).toBeUndefined()
    expect(graphqlOf(await send(query(250), { n: 50 })).errors).toBeUndefined()
    expect(await limitOf(query(50), { n: 250 })).toEqual([['query_too_expensive', 'complexity']])
    expect(graphqlOf(await send(query(250), { n: null })).errors).toBeUndefined()
    const nested = (first: string) =>
      `query ($n: Int = 250) { listBlocks(first: 50) { results { items(first: ${first}) { id } } } }`
    expect(await limitOf(nested('$n'))).toEqual([['query_too_expensive', 'complexity']])
  })

  it('what a variable or its default weighs counts at every place where it is used', async () => {
    const hashes = (count: number) =>
      Array.from({ length: count }, (_, index) => `a${index}: hash(text: $text) { result }`).join(' ')
    const text = 'x'.repeat(200_000)
    expect(graphqlOf(await send(`query ($text: String) { ${hashes(5)} }`, { text })).errors).toBeUndefined()
    for (const query of [
      `query ($text: String) { ${hashes(30)} }`,
      `query ($text: String) { ...F } fragment F on RootQueryType { ${hashes(30)} }`,
    ])
      expect(await limitOf(query, { text })).toEqual([['query_too_expensive', 'complexity']])
    expect(await limitOf(`query ($text: String = "${text}") { ${hashes(30)} }`)).toEqual([
      ['query_too_expensive', 'complexity'],
    ])
    const creates = Array.from({ length: 30 }, (_, index) => `a${index}: createItems(items: $all) { result }`)
    const all = [JSON.stringify({ claims: { text } })]
    expect(await limitOf(`mutation ($all: [JsonString!]) { ${creates.join(' ')} }`, { all })).toEqual([
      ['query_too_expensive', 'complexity'],
    ])
    const creating = Array.from(
      { length: 30 },
      (_, index) => `a${index}: createItem(input: $one) { result { id } }`,
    )
    const one = { claims: JSON.stringify({ text }) }
    expect(await limitOf(`mutation ($one: CreateItemInput!) { ${creating.join(' ')} }`, { one })).toEqual([
      ['query_too_expensive', 'complexity'],
    ])
    // The largest body there is, used once, is an honest request.
    const largest = 'x'.repeat(520_000)
    expect(
      graphqlOf(await send('query ($text: String) { hash(text: $text) { result } }', { text: largest }))
        .errors,
    ).toBeUndefined()
    // However deep a variable goes, weighing it does not.
    const deep = JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)
    expect(
      codesOf(await send('query ($text: String) { hash(text: $text) { result } }', { text: deep })),
    ).toEqual(['invalid_argument'])
  })

  it('the same field in the same place is compared with itself in bounded time', async () => {
    const limits = [['query_too_expensive', 'repeats']]
    for (const fields of [
      'latestBeacon { id } '.repeat(200),
      '... { latestBeacon { id } } '.repeat(150),
      '...F '.repeat(300),
      `latestBeacon { ${'id '.repeat(500)} }`,
      `latestBeacon { ${'id '.repeat(15)} } `.repeat(40),
      'nobody { id } '.repeat(200),
    ])
      expect(
        await limitOf(`{ ${fields} } fragment F on RootQueryType { latestBeacon { id } }`),
        fields.slice(0, 40),
      ).toEqual(limits)
    // Fragments of ten parts of a page that each name what they need.
    const parts = Array.from({ length: 10 }, (_, index) => `...P${index}`).join(' ')
    const needs = Array.from(
      { length: 10 },
      (_, index) => `fragment P${index} on Beacon { id hash timestamp }`,
    )
    expect(graphqlOf(await send(`{ latestBeacon { ${parts} } } ${needs.join(' ')}`)).errors).toBeUndefined()
  })

  it('a document is bounded in tokens and its names in length, and no answer repeats it', async () => {
    expect(await limitOf(`{ ${'a'.repeat(520_000)} }`)).toEqual([['query_too_expensive', 'name']])
    expect(await limitOf(`{ listItems(sort: { field: ${'A'.repeat(500_000)} }) { count } }`)).toEqual([
      ['query_too_expensive', 'name'],
    ])
    expect(await limitOf(`{ latestBeacon { ${'id '.repeat(10_000)} } }`)).toEqual([
      ['query_too_expensive', 'tokens'],
    ])
    expect(await limitOf(`{ __typename ${'@skip(if: false) '.repeat(10_000)} }`)).toEqual([
      ['query_too_expensive', 'tokens'],
    ])
    const unknown = Array.from({ length: 290 }, (_, index) => `$v${index}: WebhookDeliveryFilterIdx${index}`)
    const { errors } = graphqlOf(await send(`query (${unknown.join(' ')}) { __typename }`))
    expect(errors?.length).toBeLessThanOrEqual(26)
    const answer = await send(`{ __typename ${'#\n'.repeat(150_000)} }`)
    expect(graphqlOf(answer).data).toEqual({ __typename: 'RootQueryType' })
  })

  it('introspection is answered twice in one operation, but not three times, nor in pieces', async () => {
    const whole = getIntrospectionQuery()
    const [opens, closes] = [
      whole.indexOf('{', whole.indexOf('__schema')),
      whole.indexOf('fragment FullType'),
    ]
    const body = whole.slice(opens, whole.lastIndexOf('}', closes))
    const named = (count: number) =>
      `{ ${Array.from({ length: count }, (_, index) => `s${index}: __schema ${body}`).join(' ')} } ${whole.slice(closes)}`
    expect(graphqlOf(await send(named(2))).errors).toBeUndefined()
    for (const query of [
      named(3),
      `{ ${Array.from({ length: 28 }, (_, index) => `t${index}: __schema { types { fields { type { fields { name } } } } }`).join(' ')} }`,
    ])
      expect(await limitOf(query), query.slice(0, 60)).toEqual([['query_too_expensive', 'introspection']])
  })

  it('introspection is answered in full', async () => {
    const { data, errors } = graphqlOf(await send(getIntrospectionQuery()))
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({ __schema: { subscriptionType: { name: 'RootSubscriptionType' } } })
  })
})
