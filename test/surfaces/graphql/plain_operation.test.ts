// An operation of plain members is answered byte for byte as graphql-js answers it, whatever its value is.
import fc from 'fast-check'
import {
  execute,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { cursorCodec } from '../../../server/contract/keyset.ts'
import { JsonText } from '../../../server/kernel/json_text.ts'
import { judgeOperation, parseOperation } from '../../../server/surfaces/graphql/run/prepare_operation.ts'
import { plainOperation, runOperation } from '../../../server/surfaces/graphql/run/run_operation.ts'
import { buildGraphqlSchema } from '../../../server/surfaces/graphql/schema/build_schema.ts'

const schema = buildGraphqlSchema({
  catalog,
  cursors: cursorCodec(Buffer.alloc(32)),
  beacons: () => Promise.reject(new Error('Nobody subscribes here.')),
})

const plainFields = (type: GraphQLObjectType) =>
  Object.values(type.getFields()).filter(({ resolve }) => resolve === undefined)

/** Members in any order, with other names, more than once, and in fragments. */
function selectionOf(type: GraphQLOutputType): fc.Arbitrary<string> {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return selectionOf(nullable.ofType)
  if (!isObjectType(nullable)) return fc.constant('')
  const member = fc
    .constantFrom('__typename', ...plainFields(nullable))
    .chain((field) =>
      typeof field === 'string'
        ? fc.constant(field)
        : fc
            .tuple(fc.constantFrom('', `also_${field.name}: `), selectionOf(field.type))
            .map(([alias, inner]) => `${alias}${field.name}${inner}`),
    )
  const some = fc.array(member, { minLength: 1, maxLength: 4 }).map((members) => members.join(' '))
  return fc
    .tuple(some, fc.option(some, { nil: undefined }), fc.boolean())
    .map(([first, more, named]) =>
      more === undefined
        ? ` { ${first} }`
        : ` { ${first} ...${named ? ` on ${nullable.name}` : ''} { ${more} } }`,
    )
}

/** What no resolver of ours should yield. */
const odd = fc.constantFrom<unknown>(
  null,
  undefined,
  'wrong',
  1.5,
  new Error('broken'),
  () => 'called',
  {},
  [],
)

const rarely = (value: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown>, oneIn: number) =>
  fc.oneof({ weight: oneIn, arbitrary: value }, { weight: 1, arbitrary: other })

function leafOf(type: GraphQLLeafType): fc.Arbitrary<unknown> {
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ value }): unknown => value))
  if (type.name === 'Int') return fc.integer({ min: -10, max: 10 })
  if (type.name === 'Boolean') return fc.boolean()
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }))
  return type.name === 'JsonString'
    ? fc.oneof(text, fc.jsonValue({ maxDepth: 2 }), fc.constant(new JsonText('{"a":1}')))
    : text
}

function anyOf(type: GraphQLOutputType, oddOneIn: number): fc.Arbitrary<unknown> {
  if (!isNonNullType(type)) return rarely(wholeOf(type, oddOneIn), fc.constant(null), 5)
  return wholeOf(type.ofType, oddOneIn)
}

function wholeOf(type: GraphQLOutputType, oddOneIn: number): fc.Arbitrary<unknown> {
  const nullable = getNullableType(type)
  const whole = isListType(nullable)
    ? fc.array(anyOf(nullable.ofType, oddOneIn), { maxLength: 3 })
    : isObjectType(nullable)
      ? fc.record(
          Object.fromEntries(plainFields(nullable).map(({ name, type }) => [name, anyOf(type, oddOneIn)])),
        )
      : 'serialize' in nullable
        ? leafOf(nullable)
        : fc.constant(null)
  return rarely(whole, odd, oddOneIn)
}

const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((root) =>
  Object.values(root?.getFields() ?? {}).flatMap((field) =>
    field.args.some(({ type }) => isNonNullType(type) && isInputObjectType(type.ofType))
      ? []
      : [{ kind: root === schema.getQueryType() ? 'query' : 'mutation', field }],
  ),
)

const asked = (oddOneIn: number) =>
  fc.constantFrom(...roots).chain(({ kind, field }) => {
    const required = field.args.filter(({ type }) => isNonNullType(type)).map(({ name }) => `${name}: "x"`)
    const given = required.length === 0 ? '' : `(${required.join(', ')})`
    return fc.record({
      query: selectionOf(field.type).map((selection) => `${kind} { ${field.name}${given}${selection} }`),
      value: anyOf(field.type, oddOneIn),
    })
  })

const running = (value: unknown, response_bytes = 1e6) => ({
  settled: () => value,
  yieldToEventLoop: () => undefined,
  services: { ceilings: { response_bytes } },
})

const ask = (query: string) => parseOperation({ query, operationName: undefined, variables: {} })

/** A selection may have too many other names. */
const mayRun = (query: string): boolean => judgeOperation(schema, ask(query), 10).length === 0

const parse = (query: string) => {
  expect(mayRun(query), query).toBe(true)
  return ask(query)
}

async function ours(query: string, value: unknown) {
  const { data, errors } = await runOperation(schema, parse(query), running(value))
  return { data: typeof data === 'object' ? data.parts.join('') : data, errors: JSON.stringify(errors) }
}

async function theirs(query: string, value: unknown) {
  const { document } = parse(query)
  const { data, errors } = await execute({ schema, document, contextValue: running(value) })
  return { data: JSON.stringify(data), errors: JSON.stringify(errors) }
}

describe('an operation of plain members', () => {
  it('is written as graphql-js completes it', async () => {
    await fc.assert(
      fc.asyncProperty(asked(1_000_000), async ({ query, value }) => {
        fc.pre(mayRun(query))
        expect(plainOperation(schema, parse(query)), query).toBeDefined()
        expect(await ours(query, value), query).toEqual(await theirs(query, value))
      }),
      { numRuns: 80 },
    )
  })

  it('is completed by graphql-js where a value is irregular', async () => {
    await fc.assert(
      fc.asyncProperty(asked(8), async ({ query, value }) => {
        fc.pre(mayRun(query))
        expect(await ours(query, value), query).toEqual(await theirs(query, value))
      }),
      { numRuns: 80 },
    )
  })

  it('waits for a member that comes later', async () => {
    const value = [{ hash: Promise.resolve('late') }, { hash: 'now' }]
    expect(await ours('{ beacons { hash } }', value)).toEqual(await theirs('{ beacons { hash } }', value))
  })

  it('has the error of its resolver, which runs once', async () => {
    let ran = 0
    const settled = () => {
      ran += 1
      throw new Error('broken')
    }
    const query = '{ beacons { id } }'
    const context = { ...running(undefined), settled }
    const { data, errors } = await runOperation(schema, parse(query), context)
    const { errors: expected } = await execute({
      schema,
      document: parse(query).document,
      contextValue: context,
    })
    expect([ran, data, JSON.stringify(errors)]).toEqual([2, expect.anything(), JSON.stringify(expected)])
  })

  it('keeps the last answer of a frozen value, and of no other', async () => {
    const query = '{ latestBeacon { hash } }'
    const values = [{ hash: 'a' }, Object.freeze({ hash: 'b' }), Object.freeze({ hash: 'c' })]
    for (const value of [...values, ...values]) {
      expect(await ours(query, value)).toMatchObject({ data: JSON.stringify({ latestBeacon: value }) })
      expect(await ours(query, value)).toMatchObject({ data: JSON.stringify({ latestBeacon: value }) })
    }
    const [changing = { hash: '' }] = values
    Object.assign(changing, { hash: 'd' })
    expect(await ours(query, changing)).toMatchObject({ data: '{"latestBeacon":{"hash":"d"}}' })
  })

  it('ends at the ceiling of bytes', async () => {
    const rows = Array.from({ length: 500 }, () => ({ hash: 'ü'.repeat(200) }))
    const query = '{ beacons { hash } }'
    const bytes = Buffer.byteLength(JSON.stringify({ beacons: rows }))
    const { data } = await runOperation(schema, parse(query), running(rows, bytes))
    expect(data).toMatchObject({ bytes })
    expect((await runOperation(schema, parse(query), running(rows, bytes - 1))).data).toBe('too large')
  })
})

it.each([
  '{ beacons { id @include(if: true) } }',
  '{ beacons { id } latestBeacon { id } }',
  '{ __typename }',
  '{ listItems { results { creator { id } } } }',
  '{ ... @include(if: true) { beacons { id } } }',
])('%s is left to graphql-js', (query) => {
  expect(plainOperation(schema, parse(query))).toBeUndefined()
})
