// While items come and go, a walk in either direction never skips or repeats a row that was there all the time.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ulidFrom } from '../../../server/kernel/identifiers.ts'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { type Page, pageOf } from './documents.ts'

const app = testApp()
let rooms = 0

const PLACES = 40
const EPOCH = Date.parse('2026-01-01T00:00:00Z')

/** A team of its own for a walk, with items at numbered places of the order. */
async function openRoom() {
  rooms += 1
  const room = rooms
  const team = await app.team(app.owner)
  const idAt = (place: number) => ulidFrom(EPOCH + room * 1_000 + place, new Uint8Array(10))
  return {
    team,
    idAt,
    insert: (places: readonly number[]) =>
      app.query(
        `INSERT INTO items (id, team_id, creator_id, claims, claims_hash, metadata, metadata_hash, item_hash,
                            signing_key_id, signature, inserted_at, updated_at)
         SELECT id, $2, $3, '{}', sha256(''), '{}', sha256(''), sha256(''), '\\x00000000', decode(repeat('00', 64), 'hex'),
                now(), now() FROM unnest($1::text[]) AS id ON CONFLICT DO NOTHING`,
        [places.map(idAt), team, app.owner.userId],
      ),
    remove: (places: readonly number[]) =>
      app.query('DELETE FROM items WHERE id = ANY($1::text[])', [places.map(idAt)]),
    read: async (query: string): Promise<Page> =>
      pageOf(
        await ask(app.port, `/api/json/items${query}`, { key: app.owner.key, headers: { tenant: team } }),
      ),
  }
}

const place = fc.integer({ min: 0, max: PLACES - 1 })
const change = fc.record({
  insert: fc.array(place, { maxLength: 8 }),
  remove: fc.array(place, { maxLength: 8 }),
})

describe('a walk through a list that changes', () => {
  it.each(['next', 'prev'] as const)('by links.%s', async (direction) => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(place, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        fc.array(change, { maxLength: 12 }),
        async (steady, limit, descending, changes) => {
          const room = await openRoom()
          await room.insert(steady)
          const base = `sort=${descending ? '-' : ''}id&page[limit]=${limit}`
          const seen: string[] = []
          let query: string | null = `?${base}`
          if (direction === 'prev') {
            // To the far end while nothing moves, then back.
            for (let page = await room.read(query); page.links.next !== null; page = await room.read(query))
              query = new URL(page.links.next).search
          }
          for (const step of [...changes, ...Array<undefined>(PLACES).fill(undefined)]) {
            if (query === null) break
            const { data, links }: Page = await room.read(query)
            const ids = data.map(({ id }) => id)
            if (direction === 'next') seen.push(...ids)
            else seen.unshift(...ids)
            query = links[direction] === null ? null : new URL(links[direction] ?? '').search
            if (step !== undefined) {
              await room.remove(step.remove.filter((one) => !steady.includes(one)))
              await room.insert(step.insert)
            }
          }
          expect(query).toBeNull()
          expect(new Set(seen).size).toBe(seen.length)
          const order = seen.toSorted()
          expect(seen).toEqual(descending ? order.toReversed() : order)
          const steadyIds = steady.map(room.idAt)
          expect(seen.filter((id) => steadyIds.includes(id)).toSorted()).toEqual(steadyIds.toSorted())
        },
      ),
      { numRuns: 12 },
    )
  })

  it('that ends on a page whose rows have gone can be walked back to the first', async () => {
    const room = await openRoom()
    await room.insert([0, 1, 2, 3])
    for (const [sort, gone] of [
      ['id', [2, 3]],
      ['-id', [0, 1]],
    ] as const) {
      await room.insert([0, 1, 2, 3])
      const { data, links } = await room.read(`?sort=${sort}&page[limit]=2`)
      await room.remove(gone)
      const empty = await room.read(new URL(links.next ?? '').search)
      expect(empty.data).toEqual([])
      expect(empty.links.next).toBeNull()
      const back = await room.read(new URL(empty.links.prev ?? '').search)
      expect(back.data).toEqual(data)
      expect([back.links.prev, back.links.next]).toEqual([null, null])
    }
  })

  it('that turns back onto a page whose rows have gone can be walked on', async () => {
    const room = await openRoom()
    await room.insert([0, 1, 2, 3])
    const { links } = await room.read('?sort=id&page[limit]=2')
    const second = await room.read(new URL(links.next ?? '').search)
    await room.remove([0, 1])
    const empty = await room.read(new URL(second.links.prev ?? '').search)
    expect([empty.data, empty.links.prev]).toEqual([[], null])
    expect((await room.read(new URL(empty.links.next ?? '').search)).data).toEqual(second.data)
  })
})
