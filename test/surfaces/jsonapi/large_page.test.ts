// A page of many large rows is read from the database in parts, and its reader cannot tell.
import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { insertItems, itemId } from './crowd.ts'

const ITEMS = 120
/** So many rows are more than two parts, and one of them is larger than a part. */
const BYTES = 30_000

const app = testApp()
beforeAll(async () => {
  const { teamId, userId } = app.owner
  await insertItems(app.query, { team: teamId, creator: userId, from: 0, count: ITEMS, blocks: 1 })
  await app.query(
    `UPDATE items SET claims = '{"name":"' || id || '","metadata":{"note":"' ||
       repeat('x', CASE WHEN id = $2 THEN 1500000 ELSE $1 END) || '"}}' WHERE claims IS NOT NULL`,
    [BYTES, itemId(57)],
  )
})

interface Page {
  readonly data: readonly {
    readonly id: string
    readonly attributes: { readonly claims?: { name: string } | null }
  }[]
  readonly links: { readonly next: string | null; readonly prev: string | null }
}

const read = async (parameters: string): Promise<Page> => {
  const answer = await ask(app.port, `/api/json/items?${parameters}`, { key: app.owner.key })
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, ''])
  return answer.json() as Page
}

const idsOf = ({ data }: Page): string[] => data.map(({ id }) => id)

describe('a page of several megabytes', () => {
  it('has every row once and in order, each with its own claims', async () => {
    const page = await read('page[limit]=250&sort=id')
    const light = await read('page[limit]=250&sort=id&fields[item]=state')
    expect(idsOf(page)).toHaveLength(ITEMS)
    expect(idsOf(page)).toEqual(idsOf(light))
    for (const { id, attributes } of page.data) if (attributes.claims) expect(attributes.claims.name).toBe(id)
    expect(page.links.next).toBeNull()
  })

  it.each([1, 34, 35, 36, 70, 119, 120])(
    'of %i rows ends there, and the next one goes on behind it',
    async (limit) => {
      const all = idsOf(await read('page[limit]=250&sort=-id&fields[item]=state'))
      const page = await read(`page[limit]=${limit}&sort=-id`)
      expect(idsOf(page)).toEqual(all.slice(0, limit))
      if (limit === ITEMS) return expect(page.links.next).toBeNull()
      const next = new URL(page.links.next ?? '').search.slice(1)
      expect(idsOf(await read(next))).toEqual(all.slice(limit, 2 * limit))
      const back = new URL((await read(next)).links.prev ?? '').search.slice(1)
      expect(idsOf(await read(back))).toEqual(all.slice(0, limit))
    },
  )
})
