// What one GraphQL operation may ask for: depth, complexity and aliases, however it is written.

import { getIntrospectionQuery } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { askGraphql, codesOf, graphqlOf } from './ask_graphql.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(async () => {
  expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
  await app.close()
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

  it('introspection is answered in full', async () => {
    const { data, errors } = graphqlOf(await send(getIntrospectionQuery()))
    expect(errors).toBeUndefined()
    expect(data).toMatchObject({ __schema: { subscriptionType: { name: 'RootSubscriptionType' } } })
  })
})
