// One truth, several surfaces: what JSON:API answers, GraphQL and the console stream answer too.
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { catalog } from '../../server/catalog/catalog.ts'
import { camelCase } from '../../server/surfaces/graphql/schema/names.ts'
import { ask } from '../support/http.ts'
import { claimsOf } from '../support/ledger.ts'
import { testApp } from '../support/test_app.ts'
import { askGraphql, graphqlOf } from '../surfaces/graphql/ask_graphql.ts'
import { itemBody } from '../surfaces/jsonapi/item_documents.ts'

const app = testApp()
beforeAll(async () => {
  const body = itemBody({
    claims: { ...claimsOf('a file'), metadata: { b: 1, a: [1.5, null, 'x'] } },
    tags: ['t'],
  })
  await ask(app.port, '/api/json/items', { key: app.owner.key, body })
  await app.finalize(2)
})

const documented = z.looseObject({
  data: z.looseObject({ id: z.string(), attributes: z.record(z.string(), z.unknown()) }),
})
const listed = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) })

const json = async (path: string): Promise<unknown> =>
  (await ask(app.port, `/api/json${path}`, { key: app.owner.key })).json()
const field = async (query: string): Promise<unknown> => {
  const { data, errors } = graphqlOf(await askGraphql(app.port, app.owner.key, query))
  expect(errors).toBeUndefined()
  return Object.values(data ?? {})[0]
}

describe('the same values', () => {
  it.each(['item', 'block', 'team', 'membership', 'user', 'api_key'])('of one %s', async (type) => {
    const resource = catalog.related(type)
    const [first] = listed.parse(await json(resource.path)).data
    const { id, attributes } = documented.parse(await json(`${resource.path}/${first?.id}`)).data
    const get = resource.operations.find((one) => one.kind === 'get' && one.find === undefined)?.graphql
    const names = Object.keys(resource.fields).map(camelCase)
    const told = z
      .record(z.string(), z.unknown())
      .parse(await field(`{ ${get}(id: "${id}") { id ${names.join(' ')} } }`))
    const expected: Record<string, unknown> = { id }
    for (const [name, { kind }] of Object.entries(resource.fields)) {
      const value = attributes[name]
      const graphql = told[camelCase(name)]
      // A map is its canonical text; a closed set is in upper case where it is an enumeration.
      if (kind.graphql === 'JsonString' && typeof graphql === 'string')
        told[camelCase(name)] = JSON.parse(graphql)
      if (kind.values !== undefined && typeof graphql === 'string')
        told[camelCase(name)] = graphql.toLowerCase()
      expected[camelCase(name)] = value ?? null
    }
    expect(told).toEqual(expected)
  })

  it('of the head beacon, bare and in GraphQL', async () => {
    const bare = z.looseObject({}).parse(await json('/beacons/latest'))
    expect(await field('{ latestBeacon { id hash timestamp previousHash } }')).toEqual(
      Object.fromEntries(Object.entries(bare).map(([name, value]) => [camelCase(name), value])),
    )
  })

  it('of every list: the same ids in the same order', async () => {
    for (const { path, operations } of catalog.resources) {
      const list = operations.find((one) => one.kind === 'list')
      if (list?.kind !== 'list') continue
      const ids = listed.parse(await json(path)).data.map(({ id }) => id)
      const told = await field(
        list.newest === undefined ? `{ ${list.graphql} { results { id } } }` : `{ ${list.graphql} { id } }`,
      )
      const rows = z.array(z.object({ id: z.string() }))
      const shown =
        list.newest === undefined ? z.object({ results: rows }).parse(told).results : rows.parse(told)
      expect(shown.map(({ id }) => id)).toEqual(ids)
    }
  })

  // Proofs are compared in a file of their own: their examples are about records of another ledger.
  const utilities = catalog.actions.filter(
    ({ graphqlShape, example, refuses }) => graphqlShape === 'utility' && example && refuses === undefined,
  )

  it.each(utilities)('of the action $name', async ({ http, graphql, accepts, example }) => {
    const given = z.record(z.string(), z.unknown()).parse(example?.data)
    const answer = await ask(app.port, `/api/json${http.split(' ')[1]}`, {
      key: app.owner.key,
      body: { json: { data: given } },
    })
    const { result } = z.looseObject({ result: z.looseObject({}) }).parse(answer.json())
    const args = Object.entries(given).map(([name, value]) => {
      const text = accepts[name]?.kind.graphql === 'JsonString' ? JSON.stringify(value) : value
      return `${camelCase(name)}: ${JSON.stringify(text)}`
    })
    const told = z
      .object({ result: z.string(), errors: z.tuple([]) })
      .parse(
        await field(
          `{ ${graphql}${args.length > 0 ? `(${args.join(', ')})` : ''} { result errors { code } } }`,
        ),
      )
    const inGraphql = z.looseObject({}).parse(JSON.parse(told.result))
    expect(Object.keys(inGraphql)).toEqual(Object.keys(result))
    // The time goes on between two questions.
    if (graphql !== 'serverTime') expect(inGraphql).toEqual(result)
  })
})
