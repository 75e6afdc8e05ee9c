// Under every sort: rows come in its order, nulls last, and a walk in either direction skips and repeats nothing while
// other rows come and go.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { queryFields } from '../../../server/contract/resource_fields.ts'
import { ask as askHttp } from '../../support/http.ts'
import { insertItems, itemId } from './crowd.ts'
import { pageOf, type Resource } from './documents.ts'
import { openPopulated, type Populated, pathOf } from './populated.ts'

let house: Populated
beforeAll(async () => {
  house = await openPopulated()
})
afterAll(() => house.app.close())

const shownAs = (row: Resource, name: string): unknown => (name === 'id' ? row.id : row.attributes[name])

/** The order that a sort stands for: null behind everything in either direction, the id in the direction of the last key. */
function inOrder(sort: string, newestFirst: boolean) {
  const words = sort === '' ? [] : sort.split(',')
  const last = words.at(-1)
  const descends = last === undefined ? newestFirst : last.startsWith('-')
  const keys = [...words, descends ? '-id' : 'id']
  return (a: Resource, b: Resource): number => {
    for (const key of keys) {
      const [x, y] = [shownAs(a, key.replace('-', '')), shownAs(b, key.replace('-', ''))]
      if (x === y) continue
      if (x === null || y === null) return x === null ? 1 : -1
      const less = typeof x === 'number' && typeof y === 'number' ? x < y : String(x) < String(y)
      return less === key.startsWith('-') ? 1 : -1
    }
    return 0
  }
}

const lists = catalog.resources.filter(({ operations }) => operations.some(({ kind }) => kind === 'list'))
const sorts = lists.flatMap((resource) =>
  Object.entries(queryFields(resource)).flatMap(([name, { sort }]) =>
    sort === true ? [`${name}`, `-${name}`].map((word) => [resource.type, word] as const) : [],
  ),
)
const MANY = [
  'display_name,-inserted_at',
  '-inserted_at,display_name',
  '-display_name,inserted_at,-id',
  'id,display_name',
] as const

describe('the order of a list', () => {
  it.each([...sorts, ...MANY.map((sort) => ['item', sort] as const)])(
    'of %s by %s is the same in one page, in small ones, backwards and by offset',
    async (type, sort) => {
      const base = `${pathOf(type)}?sort=${sort}`
      const { data } = await house.read(`${base}&page[limit]=250`)
      const words = sort.split(',')
      const meant = words.includes('id') ? 'id' : sort
      expect(data.map(({ id }) => id)).toEqual(data.toSorted(inOrder(meant, true)).map(({ id }) => id))
      const forward: string[] = []
      const backward: string[] = []
      let page = await house.read(`${base}&page[limit]=7`)
      expect(page.links.prev).toBeNull()
      for (;;) {
        forward.push(...page.data.map(({ id }) => id))
        if (page.links.next === null) break
        page = await house.read(following(page.links.next))
      }
      for (;;) {
        backward.unshift(...page.data.map(({ id }) => id))
        if (page.links.prev === null) break
        page = await house.read(following(page.links.prev))
      }
      expect(forward).toEqual(data.map(({ id }) => id))
      expect(backward).toEqual(forward)
      if (catalog.related(type).page.offset)
        for (const offset of [0, 1, 40, forward.length - 3, forward.length, forward.length + 50])
          expect(
            (await house.read(`${base}&page[limit]=30&page[offset]=${offset}`)).data.map(({ id }) => id),
          ).toEqual(forward.slice(offset, offset + 30))
    },
  )
})

const following = (link: string): string => `${new URL(link).pathname}${new URL(link).search}`

const PLACES = 60
const place = fc.integer({ min: 0, max: PLACES - 1 })
const change = fc.record({
  insert: fc.array(place, { maxLength: 10 }),
  remove: fc.array(place, { maxLength: 10 }),
})
const itemSorts = [...sorts.filter(([type]) => type === 'item').map(([, sort]) => sort), ...MANY]
let rooms = 0

describe('a walk while rows are inserted and deleted', () => {
  it.each(['next', 'prev'] as const)(
    'by links.%s meets every row that was there all the time once',
    async (direction) => {
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(place, { minLength: 1, maxLength: 30 }),
          fc.integer({ min: 1, max: 6 }),
          fc.constantFrom(...itemSorts),
          fc.array(change, { maxLength: 10 }),
          async (steady, limit, sort, changes) => {
            rooms += 1
            const first = 1_000_000 + rooms * 1_000
            const { app } = house
            const team = await app.team(app.owner)
            const insert = (places: readonly number[]) =>
              insertItems(app.query, {
                team,
                creator: app.owner.userId,
                from: first,
                count: PLACES,
                only: places.map((one) => first + one),
              })
            const ask = async (at: string) =>
              pageOf(await askHttp(app.port, at, { key: app.owner.key, headers: { tenant: team } }))
            await insert(steady)
            let path: string | null = `/api/json/items?sort=${sort}&page[limit]=${limit}`
            if (direction === 'prev')
              for (let page = await ask(path); page.links.next !== null; page = await ask(path))
                path = following(page.links.next)
            const seen: Resource[] = []
            for (const step of [...changes, ...Array<undefined>(PLACES * 2).fill(undefined)]) {
              if (path === null) break
              const { data, links } = await ask(path)
              if (direction === 'next') seen.push(...data)
              else seen.unshift(...data)
              const link: string | null = links[direction]
              path = link === null ? null : following(link)
              if (step === undefined) continue
              const gone = step.remove
                .filter((one) => !steady.includes(one))
                .map((one) => itemId(first + one))
              await app.query('DELETE FROM items WHERE id = ANY($1::text[])', [gone])
              await insert(step.insert)
            }
            expect(path).toBeNull()
            const ids = seen.map(({ id }) => id)
            expect(new Set(ids).size).toBe(ids.length)
            const meant = sort.split(',').includes('id') ? 'id' : sort
            expect(ids).toEqual(seen.toSorted(inOrder(meant, true)).map(({ id }) => id))
            const stayed = steady.map((one) => itemId(first + one))
            expect(ids.filter((id) => stayed.includes(id)).toSorted()).toEqual(stayed.toSorted())
          },
        ),
        { numRuns: 40 },
      )
    },
  )
})
