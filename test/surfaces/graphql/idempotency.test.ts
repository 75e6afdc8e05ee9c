// Idempotency-Key over GraphQL: the same request twice is one item and one answer.
import { describe, expect, it } from 'vitest'
import { testApp } from '../../support/test_app.ts'
import { claimsOf } from '../jsonapi/item_documents.ts'
import { ERRORS } from './ask_field.ts'
import { askGraphql, codesOf, graphqlOf } from './ask_graphql.ts'

const app = testApp()

const ONE = `result { id } ${ERRORS}`
const CREATE = `mutation ($claims: JsonString!) { createItem(input: { claims: $claims }) { ${ONE} } }`
const TWO = `mutation ($claims: JsonString!) {
  first: createItem(input: { claims: $claims }) { ${ONE} } again: createItem(input: { claims: $claims }) { ${ONE} } }`
const BATCH = `mutation ($items: JsonString) { createItems(items: $items) { result ${ERRORS} } }`
const claims = (name: string) => ({ claims: JSON.stringify(claimsOf(name)) })
const send = (key: string, query: string, variables: object, headers: object = {}) =>
  askGraphql(app.port, app.owner.key, query, { variables, headers: { 'Idempotency-Key': key, ...headers } })
const told = async (...asked: Parameters<typeof send>) => graphqlOf(await send(...asked)).data
const count = async () => (await app.query<{ n: number }>('SELECT count(*)::int AS n FROM items'))[0]?.n ?? 0
const CONFLICT = { result: null, errors: [{ code: 'idempotency_conflict' }] }

describe('Idempotency-Key', () => {
  it('with the same request answers the same item again', async () => {
    const before = await count()
    const first = await told('again', CREATE, claims('a'))
    expect(first).toMatchObject({ createItem: { result: { id: expect.any(String) }, errors: [] } })
    expect(await told('again', CREATE, claims('a'))).toEqual(first)
    expect(await count()).toBe(before + 1)
  })

  it('with another request or team is idempotency_conflict, and does nothing', async () => {
    await told('other', CREATE, claims('a'))
    const before = await count()
    const tenant = await app.team(app.owner)
    expect(await told('other', CREATE, claims('b'))).toMatchObject({ createItem: CONFLICT })
    expect(await told('other', CREATE, claims('a'), { tenant })).toMatchObject({ createItem: CONFLICT })
    expect(await told('other', BATCH, { items: '[{}]' })).toMatchObject({ createItems: CONFLICT })
    expect(await count()).toBe(before)
  })

  it('makes each of several writes of a request once', async () => {
    const before = await count()
    const first = await told('two', TWO, claims('a'))
    expect(await count()).toBe(before + 2)
    expect(await told('two', TWO, claims('a'))).toEqual(first)
    expect(await told('two', TWO.replace('again:', 'other:'), claims('a'))).toMatchObject({
      first: CONFLICT,
      other: CONFLICT,
    })
    expect(await count()).toBe(before + 2)
  })

  it('of a batch answers the same ids again, and the same errors with ids of their own', async () => {
    const items = JSON.stringify([{ claims: claimsOf('a') }, { claims: 5 }])
    const send = async () =>
      JSON.stringify(await told('batch', BATCH, { items })).replace(/(errors\W+id\W+)[\da-f-]{36}/, '$1')
    const first = await send()
    const before = await count()
    expect(await send()).toBe(first)
    expect(await count()).toBe(before)
  })

  it('has at most 255 characters, and none counts as none', async () => {
    const before = await count()
    for (const key of ['', '']) await told(key, CREATE, claims('a'))
    expect(await count()).toBe(before + 2)
    const long = 'k'.repeat(255)
    expect(await told(long, TWO, claims('a'))).toEqual(await told(long, TWO, claims('a')))
    expect(codesOf(await send(`${long}k`, CREATE, claims('a')), 400)).toEqual([
      'invalid_argument Idempotency-Key',
    ])
  })
})
