// Whatever a root field takes costs a bounded time and answers a bounded text; ceilings are told with their numbers.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { catalog } from '../../../server/catalog/catalog.ts'
import type { Attribute } from '../../../server/contract/attribute.ts'
import { CEILINGS } from '../../../server/kernel/ceilings.ts'
import { GRAPHQL_LIMITS } from '../../../server/surfaces/graphql/limits/limits.ts'
import { type Answer, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { sendsWithinCost } from '../cpu_time.ts'
import { hostileValues } from '../hostile_values.ts'
import { asSchema } from '../openapi/json_schema.ts'

const schema = buildSchema(
  readFileSync(join(import.meta.dirname, '..', '..', 'golden', 'schema.graphql'), 'utf8'),
)
const ANSWER_BYTES = 65_536

/** What whoever sends more values than are read is told. */
const TOO_MANY = [
  {
    extensions: {
      code: 'query_too_expensive',
      meta: { limit: 'values', maximum: GRAPHQL_LIMITS.values.maximum },
    },
  },
]

const app = testApp()

type Root = GraphQLField<unknown, unknown>
interface Place {
  readonly on: 'query' | 'mutation'
  readonly field: Root
}

const roots: Place[] = [
  ...Object.values(schema.getQueryType()?.getFields() ?? {}).map((field) => ({
    on: 'query' as const,
    field,
  })),
  ...Object.values(schema.getMutationType()?.getFields() ?? {}).map((field) => ({
    on: 'mutation' as const,
    field,
  })),
].filter(({ field }) => field.args.length > 0)

const queryOf = ({ on, field }: Place): string => {
  const type = getNamedType(field.type)
  const tellsErrors = isObjectType(type) && 'errors' in type.getFields()
  const declared = field.args.map(({ name, type: of }) => `$${name}: ${String(of)}`).join(', ')
  const passed = field.args.map(({ name }) => `${name}: $${name}`).join(', ')
  const asked = tellsErrors ? 'errors { code vars fields }' : '__typename'
  return `${on}(${declared}) { ${field.name}(${passed}) { ${asked} } }`
}

const post = (body: string): Promise<Answer> =>
  ask(app.port, '/gql', {
    method: 'POST',
    key: app.owner.key,
    body,
    headers: { 'Content-Type': 'application/json' },
  })

const told = z.object({ code: z.string(), vars: z.string(), fields: z.array(z.string()) })
const answered = z.object({
  data: z.record(z.string(), z.object({ errors: z.array(told).optional() }).nullable()).nullish(),
  errors: z.array(z.object({ message: z.string(), extensions: z.unknown() })).optional(),
})

const sendWithinCost = sendsWithinCost((bytes) =>
  post(JSON.stringify({ query: '{ __typename }', variables: { pad: 'x'.repeat(bytes) } })),
)

/** The errors, and those in the payload. */
async function tried(place: Place, variables: object) {
  const answer = await sendWithinCost(JSON.stringify({ query: queryOf(place), variables }), post)
  const { data, errors = [] } = answered.parse(answer.json())
  const inside = data?.[place.field.name]?.errors ?? []
  expect(errors.length + inside.length).toBeLessThanOrEqual(CEILINGS.problems.byDefault)
  expect(errors.length + inside.length).toBeGreaterThan(0)
  expect(answer.text.length).toBeLessThan(ANSWER_BYTES)
  return { errors, inside }
}

/** With names of so many characters. */
const membersOf = (count: number, characters: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${'a'.repeat(characters)}${index.toString(36)}`, 0]),
  )

/** What no type takes, and as much of it as is read before the types are asked. */
const STRANGE: [string, () => unknown][] = [
  ['a list of numbers', () => new Array(FULL).fill(0.5)],
  ['unknown members of long names', () => membersOf(FULL, 250)],
  ['a list of objects', () => Array.from({ length: FULL }, () => ({}))],
]
const FULL = GRAPHQL_LIMITS.values.maximum - 100

const seen = new Set<string>()

/** All of it once for each type, because a value is refused by its type before any field sees it; then one of it. */
const strangeFor = (type: GraphQLInputType): typeof STRANGE => {
  const isNew = !seen.has(String(type))
  seen.add(String(type))
  return isNew ? STRANGE : STRANGE.slice(0, 1)
}

describe.each(roots.map((place): [string, Place] => [place.field.name, place]))('%s', (_, place) => {
  for (const { name, type } of place.field.args)
    it.each(strangeFor(type))(`bounds ${name} that is %s`, async (_title, make) => {
      const value = make()
      await tried(place, { [name]: value, ...missing(place, name) })
    })
  it('takes no more values than are read', async () => {
    const [{ name } = { name: '' }] = place.field.args
    const { errors } = await tried(place, {
      ...missing(place, name),
      [name]: new Array(GRAPHQL_LIMITS.values.maximum).fill('x'),
    })
    expect(errors).toMatchObject(TOO_MANY)
  })
  const inputs = place.field.args.flatMap(({ name, type }) => {
    const named = getNamedType(type)
    return isInputObjectType(named) ? [{ name, members: named.getFields() }] : []
  })
  for (const { name, members } of inputs)
    it(`bounds the members of ${name}`, async () => {
      for (const [member, { type: of }] of Object.entries(members)) {
        if (isEnumType(getNamedType(of))) continue
        const text = '; got invalid value cannot represent "'.repeat(12_000)
        const value = isListType(getNullableType(of)) ? [text] : text
        await tried(place, { [name]: { [member]: value, nosuch: 0 }, ...missing(place, name) })
      }
    })
})

/** What else has to be there, good enough to pass its type. */
const missing = ({ field }: Place, beside: string): object =>
  Object.fromEntries(
    field.args.flatMap(({ name, type }) =>
      name !== beside && String(type).endsWith('!') && !isInputObjectType(getNamedType(type))
        ? [[name, 'x']]
        : [],
    ),
  )

describe('ceilings of inputs', () => {
  const writes = catalog.resources.flatMap(({ operations }) =>
    operations.flatMap((one) =>
      'accepts' in one ? [{ graphql: one.graphql, accepts: Object.entries(one.accepts) }] : [],
    ),
  )
  const cases = writes.flatMap(({ graphql, accepts }) =>
    accepts.flatMap(([name, attribute]) =>
      hostileValues(() => {
        throw new Error('Kinds refer to nothing.')
      }, asSchema(attribute.kind.schema))
        // So many values are refused before anybody asks what they are.
        .filter(({ maximum, title }) => maximum !== undefined && !/^of (250|85),000/.test(title))
        .map((one): [string, string, string, Attribute, typeof one] => [
          graphql,
          name,
          one.title,
          attribute,
          one,
        ]),
    ),
  )
  it.each(cases)(
    '%s refuses %s %s with the number',
    async (graphql, name, _, attribute, { value, maximum }) => {
      const place = roots.find(({ field }) => field.name === graphql)
      if (place === undefined) throw new Error(`no ${graphql}`)
      const camel = name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase())
      const input = place.field.args.find((one) => one.name === 'input')
      const type = input === undefined ? undefined : getNamedType(input.type)
      const others = isInputObjectType(type)
        ? Object.values(type.getFields()).flatMap((one) =>
            one.name !== camel && String(one.type).endsWith('!') ? [[one.name, sample(one.type)]] : [],
          )
        : []
      const given = attribute.kind.graphql === 'JsonString' ? JSON.stringify(value) : value
      const { inside } = await tried(place, {
        input: { ...Object.fromEntries(others), [camel]: given },
        ...missing(place, 'input'),
      })
      const about = inside.filter(({ fields }) => fields[0] === camel)
      expect(about.map(({ vars }) => JSON.parse(vars))).toContainEqual(expect.objectContaining({ maximum }))
    },
  )
})

function sample(type: GraphQLInputType): unknown {
  const named = getNamedType(type)
  if (isListType(getNullableType(type))) return []
  if (isEnumType(named)) return named.getValues()[0]?.name
  return named.name === 'Boolean' ? true : 'x'
}

const itemFilter = (filter: object) => {
  const place = roots.find(({ field }) => field.name === 'listItems')
  if (place === undefined) throw new Error('no listItems')
  return tried(place, { filter })
}

it.each<[string, object]>([
  ['3,000 values in a member of a member', { id: { in: new Array<string>(3_000).fill('x') } }],
  ['250,000 numbers', new Array(250_000).fill(0)],
  ['16,000 unknown members', membersOf(16_000, 1)],
  ['100,000 objects', Array.from({ length: 100_000 }, () => ({}))],
])('variables of %s are refused as they are, and told the number', async (_, filter) => {
  expect((await itemFilter(filter)).errors).toMatchObject(TOO_MANY)
})

it('an object of more members than are read is refused before that', async () => {
  const { errors } = await itemFilter(membersOf(45_000, 1))
  expect(errors).toMatchObject([{ extensions: { code: 'invalid_json' } }])
})
