// Idempotency-Key over JSON:API and over GraphQL: the same request twice is one item and one answer.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Answer, ask } from '../support/http.ts'
import { testApp } from '../support/test_app.ts'
import { ERRORS } from '../surfaces/graphql/ask_field.ts'
import { askGraphql, codesOf, graphqlOf } from '../surfaces/graphql/ask_graphql.ts'
import { refusals, resourceOf } from '../surfaces/jsonapi/documents.ts'
import { claimsOf, itemBody } from '../surfaces/jsonapi/item_documents.ts'

const app = testApp()

/** What is told of a request: what was made, or the codes with the place of each. */
interface Surface {
  readonly create: (key: string, name: string, headers?: Readonly<Record<string, string>>) => Promise<unknown>
  readonly batch: (key: string, items: readonly unknown[]) => Promise<unknown>
}

const overJsonApi = async (path: string, key: string, body: { json: unknown }, headers: object = {}) =>
  ask(app.port, `/api/json${path}`, {
    key: app.owner.key,
    headers: { 'Idempotency-Key': key, ...headers },
    body,
  })
const refusedBy = (answer: Answer) => refusals(answer).map((one) => one.replace(/^\d+ /, ''))

const ONE = `result { id } ${ERRORS}`
const CREATE = `mutation ($claims: JsonString!) { createItem(input: { claims: $claims }) { ${ONE} } }`
const TWO = `mutation ($claims: JsonString!) {
  first: createItem(input: { claims: $claims }) { ${ONE} } again: createItem(input: { claims: $claims }) { ${ONE} } }`
const BATCH = `mutation ($items: JsonString) { createItems(items: $items) { result ${ERRORS} } }`
const claims = (name: string) => ({ claims: JSON.stringify(claimsOf(name)) })
const overGraphql = (key: string, query: string, variables: object, headers: object = {}) =>
  askGraphql(app.port, app.owner.key, query, { variables, headers: { 'Idempotency-Key': key, ...headers } })
const written = z.object({
  result: z.unknown(),
  errors: z.array(z.object({ code: z.string(), fields: z.array(z.string()) })),
})
const outcomeOf = (answer: Answer): unknown => {
  if (answer.status !== 200) return codesOf(answer, answer.status)
  const { result, errors } = written.parse(Object.values(graphqlOf(answer).data ?? {})[0])
  return result ?? errors.map(({ code, fields }) => [code, ...fields].join(' '))
}

const surfaces: Record<string, Surface> = {
  'JSON:API': {
    create: async (key, name, headers) => {
      const answer = await overJsonApi('/items', key, itemBody({ claims: claimsOf(name) }), headers)
      return answer.status === 201 ? [resourceOf(answer, 201), answer.headers.location] : refusedBy(answer)
    },
    batch: async (key, items) => {
      const answer = await overJsonApi('/items/batch', key, { json: { data: { items } } })
      return answer.status === 201 ? Object(answer.json()).result : refusedBy(answer)
    },
  },
  GraphQL: {
    create: async (key, name, headers) => outcomeOf(await overGraphql(key, CREATE, claims(name), headers)),
    batch: async (key, items) => outcomeOf(await overGraphql(key, BATCH, { items: JSON.stringify(items) })),
  },
}

const count = async () => (await app.query<{ n: number }>('SELECT count(*)::int AS n FROM items'))[0]?.n ?? 0
const CONFLICT = ['idempotency_conflict']

describe.each(Object.entries(surfaces))('Idempotency-Key over %s', (surface, { create, batch }) => {
  const key = (name: string) => `${surface} ${name}`

  it('with the same request answers the same item again', async () => {
    const before = await count()
    const first = await create(key('again'), 'a')
    expect(await count()).toBe(before + 1)
    expect(await create(key('again'), 'a')).toEqual(first)
    expect(await count()).toBe(before + 1)
  })

  it('with another body, team, operation or surface is idempotency_conflict, and does nothing', async () => {
    await create(key('other'), 'a')
    const before = await count()
    const tenant = await app.team(app.owner)
    expect(await create(key('other'), 'b')).toEqual(CONFLICT)
    expect(await create(key('other'), 'a', { tenant })).toEqual(CONFLICT)
    expect(await batch(key('other'), [{ claims: claimsOf('a') }])).toEqual(CONFLICT)
    for (const [name, beside] of Object.entries(surfaces))
      if (name !== surface) expect(await beside.create(key('other'), 'a')).toEqual(CONFLICT)
    expect(await count()).toBe(before)
  })

  it('of a batch answers the same ids again, and the same mistakes with ids of their own', async () => {
    const items = [{ claims: claimsOf('a') }, { claims: 5 }]
    const told = async () =>
      JSON.stringify(await batch(key('batch'), items)).replace(/(errors\W+id\W+)[\da-f-]{36}/, '$1')
    const before = await count()
    const first = await told()
    expect(first).toContain('errors')
    expect(await count()).toBe(before + 1)
    expect(await told()).toBe(first)
    expect(await batch(key('batch'), items.slice(0, 1))).toEqual(CONFLICT)
    expect(await count()).toBe(before + 1)
  })

  it('has at most 255 characters, and none counts as none', async () => {
    const before = await count()
    for (const none of ['', '']) await create(none, 'a')
    expect(await count()).toBe(before + 2)
    const long = key('').padEnd(255, 'k')
    expect(await create(long, 'a')).toEqual(await create(long, 'a'))
    expect(await create(`${long}k`, 'a')).toEqual(['invalid_argument Idempotency-Key'])
    expect(await count()).toBe(before + 3)
  })
})

it('several writes of one request are each made once', async () => {
  const before = await count()
  const told = async (query: string) => graphqlOf(await overGraphql('two', query, claims('a'))).data
  const first = await told(TWO)
  expect(await count()).toBe(before + 2)
  expect(await told(TWO)).toEqual(first)
  const refused = { result: null, errors: [{ code: 'idempotency_conflict' }] }
  expect(await told(TWO.replace('again:', 'other:'))).toMatchObject({ first: refused, other: refused })
  expect(await count()).toBe(before + 2)
})
