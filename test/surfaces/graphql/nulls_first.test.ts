// Nulls stand where the order says: in front with NULLS_FIRST, whichever way the values go, and cursors walk them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { catalog } from '../../../server/catalog/catalog.ts'
import { queryFields } from '../../../server/contract/resource_fields.ts'
import type { Resource } from '../jsonapi/documents.ts'
import { openPopulated, type Populated } from '../jsonapi/populated.ts'
import { askGraphql, codesOf, graphqlOf } from './ask_graphql.ts'

let house: Populated
let items: Resource[]
beforeAll(async () => {
  house = await openPopulated()
  items = await house.all('item')
})
afterAll(() => house.app.close())

const ask = (query: string) =>
  askGraphql(house.app.port, house.app.owner.key, query, { headers: { tenant: house.team } })

const page = z.object({
  listItems: z.object({
    results: z.array(z.object({ id: z.string() })),
    startKeyset: z.string().nullable(),
    endKeyset: z.string().nullable(),
  }),
})
const read = async (parts: string) => {
  const { data } = graphqlOf(await ask(`{ listItems(${parts}) { results { id } startKeyset endKeyset } }`))
  return page.parse(data).listItems
}

interface Key {
  readonly name: string
  readonly order: string
}

const nullable = Object.entries(queryFields(catalog.related('item'))).flatMap(([name, field]) =>
  field.sort === true && field.nullable ? [name] : [],
)
const FIRST = ['ASC_NULLS_FIRST', 'DESC_NULLS_FIRST'] as const
const sorts: Key[][] = [
  ...nullable.flatMap((name) => FIRST.map((order) => [{ name, order }])),
  ...nullable.flatMap((name) =>
    nullable.flatMap((other) =>
      name === other
        ? []
        : FIRST.flatMap((order) =>
            ['ASC', 'DESC', ...FIRST].map((second) => [
              { name, order },
              { name: other, order: second },
            ]),
          ),
    ),
  ),
]

const sortOf = (keys: readonly Key[]): string =>
  `[${keys.map(({ name, order }) => `{ field: ${name.toUpperCase()}, order: ${order} }`).join(', ')}]`

/** The order in words of JavaScript: the id decides, in the direction of the last key. */
function inOrder(keys: readonly Key[]) {
  const all = [...keys, { name: 'id', order: keys.at(-1)?.order.startsWith('DESC') ? 'DESC' : 'ASC' }]
  const shown = (row: Resource, name: string): unknown => (name === 'id' ? row.id : row.attributes[name])
  return (a: Resource, b: Resource): number => {
    for (const { name, order } of all) {
      const [x, y] = [shown(a, name), shown(b, name)]
      if (x === y) continue
      if (x === null || y === null) return (x === null) === order.endsWith('NULLS_FIRST') ? -1 : 1
      return String(x) < String(y) === order.startsWith('ASC') ? -1 : 1
    }
    return 0
  }
}

describe('an order with nulls in front', () => {
  it.each(sorts.map((keys) => [sortOf(keys), keys] as const))(
    'of %s is the same in one page, in small ones and backwards',
    async (sort, keys) => {
      const expected = items.toSorted(inOrder(keys)).map(({ id }) => id)
      expect((await read(`sort: ${sort}, first: 250`)).results.map(({ id }) => id)).toEqual(expected)
      const forward: string[] = []
      for (let after = ''; ; ) {
        const { results, endKeyset } = await read(`sort: ${sort}, first: 40${after}`)
        forward.push(...results.map(({ id }) => id))
        if (results.length < 40) break
        after = `, after: "${endKeyset}"`
      }
      expect(forward).toEqual(expected)
      const backward: string[] = []
      for (let before = ''; ; ) {
        const { results, startKeyset } = await read(`sort: ${sort}, last: 40${before}`)
        backward.unshift(...results.map(({ id }) => id))
        if (results.length < 40) break
        before = `, before: "${startKeyset}"`
      }
      expect(backward).toEqual(expected)
    },
  )

  it('has cursors of its own', async () => {
    const [name = ''] = nullable
    const { endKeyset } = await read(`sort: ${sortOf([{ name, order: 'ASC_NULLS_FIRST' }])}, first: 3`)
    const other = `sort: ${sortOf([{ name, order: 'ASC_NULLS_LAST' }])}, first: 3, after: "${endKeyset}"`
    expect(codesOf(await ask(`{ listItems(${other}) { results { id } } }`))).toEqual(['invalid_keyset after'])
  })
})
