// Tags have rows of their own for lists. Whatever happens to an item, they say what the item says.
import { expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { claimsOf } from '../../support/ledger.ts'
import { testApp } from '../../support/test_app.ts'
import { pageOf, resourceOf } from '../../surfaces/jsonapi/documents.ts'

const app = testApp()

const written = async (
  path: string,
  method: 'POST' | 'PATCH',
  id: string | undefined,
  attributes: object,
) => {
  const data = { type: 'item', ...(id === undefined ? {} : { id }), attributes }
  const answer = await ask(app.port, path, { key: app.owner.key, method, body: { json: { data } } })
  return resourceOf(answer, method === 'POST' ? 201 : 200)
}

const change = (id: string, attributes: object) => written(`/api/json/items/${id}`, 'PATCH', id, attributes)

/** The ids that a list finds by a tag, in a team. */
async function tagged(tag: string, team: string): Promise<string[]> {
  const path = `/api/json/items?filter[tags][has]=${tag}&sort=id`
  const { data } = pageOf(await ask(app.port, path, { key: app.owner.key, headers: { tenant: team } }))
  return data.map(({ id }) => id)
}

it('what a list finds by a tag follows changes of tags, moves to another team and deletion', async () => {
  const other = await app.team(app.owner)
  const own = app.owner.teamId
  const make = (name: string, tags: readonly string[]) =>
    written('/api/json/items', 'POST', undefined, { claims: claimsOf(name), tags })
  const [first, second] = [await make('first', ['a', 'b']), await make('second', ['b'])]
  await make('third', [])
  expect(await tagged('b', own)).toEqual([first.id, second.id])

  await change(first.id, { tags: ['a', 'c'] })
  expect([await tagged('a', own), await tagged('b', own), await tagged('c', own)]).toEqual([
    [first.id],
    [second.id],
    [first.id],
  ])

  await change(second.id, { team_id: other })
  expect([await tagged('b', own), await tagged('b', other)]).toEqual([[], [second.id]])

  await change(first.id, { redacted: true })
  expect(await tagged('c', own)).toEqual([first.id])

  const gone = await ask(app.port, '/gql', {
    key: app.owner.key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `mutation { destroyItem(id: "${first.id}") { errors { code } } }` }),
  })
  expect(gone.json()).toEqual({ data: { destroyItem: { errors: [] } } })
  expect(await tagged('c', own)).toEqual([])

  const rows = await app.query(
    `SELECT team_id, tag, item_id FROM item_tags EXCEPT SELECT team_id, unnest(tags), id FROM items`,
  )
  expect(rows).toEqual([])
})
