// From when on a proof of an item can be had: the time its block was first committed, on every way to the item.
import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { pageOf, resourceOf } from './documents.ts'
import { itemBody } from './item_documents.ts'

const COMMITTED_AT = '2026-11-20T18:00:00.123Z'

const app = testApp()
const ids: string[] = []

const submit = async (): Promise<void> => {
  const answer = await ask(app.port, '/api/json/items', { key: app.owner.key, body: itemBody({}) })
  ids.push(resourceOf(answer, 201).id)
}
const read = (path: string) => ask(app.port, `/api/json${path}`, { key: app.owner.key })

beforeAll(async () => {
  await submit()
  await app.finalize()
  await app.query(`UPDATE blocks SET state = 'committed', committed_at = $1 WHERE item_count > 0`, [
    COMMITTED_AT,
  ])
  await submit()
  await app.finalize()
  await submit()
})

describe('proof_available_at', () => {
  const expected = [COMMITTED_AT, null, null]

  it('of one item is its block’s committed_at; null in a block that waits, and without a block', async () => {
    for (const [index, id] of ids.entries())
      expect(resourceOf(await read(`/items/${id}`)).attributes.proof_available_at).toBe(expected[index])
  })

  it('is the same in a list', async () => {
    const { data } = pageOf(await read('/items?sort=id'))
    expect(data.map(({ attributes }) => attributes.proof_available_at)).toEqual(expected)
  })

  it('is the same on GraphQL', async () => {
    const answer = await ask(app.port, '/gql', {
      key: app.owner.key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: '{ listItems(sort: [{ field: ID, order: ASC }]) { results { proofAvailableAt } } }',
      }),
    })
    expect(answer.json()).toEqual({
      data: { listItems: { results: expected.map((proofAvailableAt) => ({ proofAvailableAt })) } },
    })
  })
})
