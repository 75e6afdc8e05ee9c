// Every filterable field of every resource with every operator of its kind: the rows that JavaScript would have chosen.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { queryFields } from '../../../server/contract/resource_fields.ts'
import type { Resource } from './documents.ts'
import { ALIASES, filterQuery, matches, type Tree } from './filter_meaning.ts'
import { openPopulated, type Populated, pathOf } from './populated.ts'

let house: Populated
const rowsOf = new Map<string, Resource[]>()
const resources = catalog.resources.filter(({ operations }) => operations.some(({ kind }) => kind === 'list'))
beforeAll(async () => {
  house = await openPopulated()
  for (const { type } of resources) rowsOf.set(type, await house.all(type))
})
afterAll(() => house.app.close())

const known = (type: string): Resource[] => rowsOf.get(type) ?? []
/** The ids of what a filter finds, without what else the rows say. */
const foundBy = async (type: string, tree: Tree): Promise<string[]> => {
  const least = Object.keys(catalog.related(type).fields).at(0)
  const fields = least === undefined ? '' : `fields[${type}]=${least}&`
  const { data } = await house.read(`${pathOf(type)}?sort=id&page[limit]=250&${fields}${filterQuery(tree)}`)
  return data.map(({ id }) => id)
}
const shownAs = (row: Resource, name: string): unknown => (name === 'id' ? row.id : row.attributes[name])

/** By the id that a to-one relationship goes by; the others are looked up the other way round. */
const relatedOf = (row: Resource, name: string): Resource[] | undefined => {
  const relationship = catalog.resources.find(({ type }) => type === row.type)?.relationships[name]
  if (relationship === undefined) return undefined
  return known(relationship.target).filter(({ id }) => id === row.attributes[`${name}_id`])
}

/** Values of a field that are there, and some that are not, in the spelling a client would use. */
function samples(type: string, name: string): string[] {
  const values = known(type).map((row) => shownAs(row, name))
  const there = [
    ...new Set(
      values
        .flat()
        .filter((value) => value !== null)
        .map(String),
    ),
  ]
  const stored = queryFields(catalog.related(type))[name]?.kind.stored
  return [
    ...[there.at(0), there.at(-1), there.at(Math.floor(there.length / 2))].filter(
      (value) => value !== undefined,
    ),
    ...['zz', '', '%_\\', "'", '-5', '00'.repeat(32), '1999-12-31T23:59:59.999Z'].filter(
      (value) => stored?.bind(value) !== undefined,
    ),
  ]
}

const trees = resources.flatMap((resource) =>
  Object.entries(queryFields(resource)).flatMap(([name, { filter, kind }]) =>
    filter === true
      ? (kind.stored?.operators ?? []).map((operator) => [resource.type, name, operator] as const)
      : [],
  ),
)

describe('a filter', () => {
  it.each(trees)('of %s by %s with %s finds what it says', async (type, name, operator) => {
    const values = operator === 'is_nil' ? ['true', 'false'] : samples(type, name)
    const asked: Tree[] =
      operator === 'in'
        ? [{ [name]: { in: values } }, { [name]: { in: values.slice(0, 1) } }]
        : values.flatMap((value) => {
            const pieces = operator === 'contains' || operator === 'string_starts_with'
            const given = pieces ? [value, value.slice(0, 3), value.slice(2, 6)] : [value]
            return given.map((one) => ({ [name]: { [operator]: one } }))
          })
    if (operator === 'eq') asked.push(...values.map((value) => ({ [name]: value })))
    for (const [alias, meant] of Object.entries(ALIASES))
      if (meant === operator) asked.push(...values.map((value) => ({ [name]: { [alias]: value } })))
    for (const tree of asked) {
      const expected = known(type).filter((row) => matches(row, tree, relatedOf))
      expect([tree, await foundBy(type, tree)]).toEqual([tree, expected.map(({ id }) => id)])
    }
  })

  it('takes hashes in either case, and times in any offset', async () => {
    const [first] = known('item')
    const hash = String(first?.attributes.claims_hash)
    const at = new Date(String(first?.attributes.inserted_at)).getTime()
    const elsewhere = new Date(at + 3_600_000).toISOString().replace('Z', '+01:00')
    for (const tree of [{ claims_hash: hash.toUpperCase() }, { inserted_at: elsewhere }])
      expect(
        (await house.read(`${pathOf('item')}?sort=id&${filterQuery(tree)}`)).data.map(({ id }) => id),
      ).toContain(first?.id)
  })

  it('counts what it finds', async () => {
    const tree = { state: 'committed' }
    const { meta } = await house.read(`${pathOf('item')}?page[limit]=1&page[count]=true&${filterQuery(tree)}`)
    expect(meta.page.total).toBe(known('item').filter((row) => matches(row, tree, relatedOf)).length)
  })
})

/** Conditions on items, and on what items relate to. */
const leaf = fc.oneof(
  ...Object.entries(queryFields(catalog.related('item'))).flatMap(([name, { filter, kind }]) =>
    filter === true
      ? (kind.stored?.operators ?? []).map((operator) =>
          fc.record({ name: fc.constant(name), operator: fc.constant(operator), pick: fc.nat() }),
        )
      : [],
  ),
)
const conditionOf = (
  type: string,
  { name, operator, pick }: { name: string; operator: string; pick: number },
): Tree => {
  const values = operator === 'is_nil' ? ['true', 'false'] : samples(type, name)
  const value = values[pick % values.length] ?? ''
  return {
    [name]: { [operator]: operator === 'in' ? [value, values[(pick + 1) % values.length] ?? ''] : value },
  }
}
const { tree } = fc.letrec<{ tree: () => Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 2 },
    leaf.map((one) => () => conditionOf('item', one)),
    fc.nat().map((pick) => () => ({
      block: conditionOf('block', { name: 'height', operator: 'less_than', pick }),
    })),
    fc.nat().map((pick) => () => ({ team: conditionOf('team', { name: 'name', operator: 'not_eq', pick }) })),
    fc.nat().map((pick) => () => ({ creator: conditionOf('user', { name: 'id', operator: 'eq', pick }) })),
    fc
      .tuple(fc.constantFrom('and', 'or', 'not'), fc.array(tie('tree'), { minLength: 1, maxLength: 3 }))
      .map(([group, members]) => () => ({
        [group]: Object.fromEntries(members.map((member, index) => [index, member()])),
      })),
  ),
}))

describe('a tree of filters', () => {
  it('finds what the same tree finds in JavaScript over all rows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 2 }), async (makers) => {
        const asked: Tree = { and: Object.fromEntries(makers.map((make, index) => [index, make()])) }
        const expected = known('item').filter((row) => matches(row, asked, relatedOf))
        expect(await foundBy('item', asked)).toEqual(expected.map(({ id }) => id))
      }),
      { numRuns: 300 },
    )
  })
})
