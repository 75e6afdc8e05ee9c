// The law of GraphQL: whatever a document or its variables ask for, the cost is bounded, and no answer
// exceeds the ceiling.
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { catalog } from '../../server/catalog/catalog.ts'
import { cursorCodec } from '../../server/contract/keyset.ts'
import { CEILINGS } from '../../server/kernel/ceilings.ts'
import { buildGraphqlSchema } from '../../server/surfaces/graphql/schema/build_schema.ts'
import { costOf, lawGround } from './cost.ts'
import { openLargeLedger } from './large_ledger.ts'

/** Thirty names, each a list with its count: a transaction of its own, in which ranges are counted, walked and judged. */
const MOST_STATEMENTS = 240
const MOST_ROWS = 2 * (251 + CEILINGS.included_rows.byDefault) + MOST_STATEMENTS
/** Bytes of a refusal. */
const REFUSAL_BYTES = 65_536

const ground = lawGround(openLargeLedger)

const schema = buildGraphqlSchema({
  catalog,
  cursors: cursorCodec(Buffer.alloc(32)),
  beacons: () => Promise.reject(new Error('Nobody subscribes here.')),
})

type Root = 'query' | 'mutation'
const fieldsOf = (root: Root): [Root, string, GraphQLField<unknown, unknown>][] =>
  Object.entries(schema.getRootType(root as never)?.getFields() ?? {}).map(([name, one]) => [root, name, one])
const FIELDS = [...fieldsOf('query'), ...fieldsOf('mutation')]

/** Selects all leaves down to a depth. */
function selection(type: GraphQLObjectType, depth: number): string {
  const inner = Object.values(type.getFields()).flatMap(({ name, type: of }) => {
    const target = getNamedType(of)
    if (isLeafType(target)) return [name]
    return depth > 0 && isObjectType(target) ? [`${name} ${selection(target, depth - 1)}`] : []
  })
  return inner.length === 0 ? '{ __typename }' : `{ ${inner.join(' ')} }`
}

const TEXT_BYTES = 400_000

/** A value of the type, as large as a body may be. */
function largest(type: GraphQLInputType, bytes: number, depth = 3): unknown {
  const of = getNullableType(type)
  if (isListType(of)) {
    const one = largest(of.ofType, 20, depth - 1)
    const size = JSON.stringify(one).length + 1
    return Array.from({ length: Math.max(1, Math.floor(bytes / size)) }, () => one)
  }
  if (isEnumType(of)) return of.getValues()[0]?.name
  if (isInputObjectType(of)) {
    const fields = Object.values(of.getFields()).filter((one) => depth > 0 || isNonNullType(one.type))
    return Object.fromEntries(
      fields.map((one) => [one.name, largest(one.type, bytes / fields.length, depth - 1)]),
    )
  }
  switch (getNamedType(of).name) {
    case 'Int':
      return 250
    case 'Boolean':
      return true
    default:
      return 'x'.repeat(Math.max(1, Math.floor(bytes)))
  }
}

async function judge(query: string, variables: object = {}): Promise<void> {
  const body = JSON.stringify({ query, variables })
  const parts = { key: ground.app.owner.key, body, headers: { 'content-type': 'application/json' } }
  const allowed = (bytes: number, again?: boolean) =>
    ground.plain.allowed(Buffer.byteLength(body), bytes, again)
  const cost = await costOf(ground.app.port, '/gql', parts, { allowed, statements: MOST_STATEMENTS })
  const { answer, answerBytes } = cost
  expect([200, 400, 413], answer.text.slice(0, 300)).toContain(answer.status)
  const hasData = answer.text.includes('"data":{')
  expect(answerBytes).toBeLessThanOrEqual(hasData ? CEILINGS.response_bytes.byDefault : REFUSAL_BYTES)
  expect(cost.statements).toBeLessThanOrEqual(MOST_STATEMENTS)
  expect(cost.rows).toBeLessThanOrEqual(MOST_ROWS)
  expect(cost.cpuMs, `of ${answerBytes} bytes: ${answer.text.slice(0, 200)}`).toBeLessThan(cost.allowed)
}

const declared = (args: readonly { name: string; type: GraphQLInputType }[]): string =>
  args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ')
const passed = (args: readonly { name: string }[]): string =>
  args.length === 0 ? '' : `(${args.map(({ name }) => `${name}: $${name}`).join(', ')})`

const selected = (field: GraphQLField<unknown, unknown>, depth: number): string => {
  const target = getNamedType(field.type)
  return isObjectType(target) ? selection(target, depth) : ''
}

describe.each(FIELDS)('%s %s', (root, name, field) => {
  const { args } = field
  it('with the largest arguments, and everything selected', async () => {
    for (const one of args.length === 0 ? [undefined] : args) {
      const given = args.filter((other) => other === one || isNonNullType(other.type))
      const variables = Object.fromEntries(
        given.map((other) => [other.name, largest(other.type, other === one ? TEXT_BYTES : 10)]),
      )
      const head = given.length === 0 ? '' : `(${declared(given)})`
      await judge(`${root} x${head} { ${name}${passed(given)} ${selected(field, 1)} }`, variables)
    }
  })

  it('under thirty names, with one variable for all of them', async () => {
    const given = args.filter(({ type }) => isNonNullType(type) || getNamedType(type).name === 'String')
    const variables = Object.fromEntries(
      given.map(({ name: of, type }) => [of, largest(type, TEXT_BYTES / given.length)]),
    )
    const head = given.length === 0 ? '' : `(${declared(given)})`
    const fields = Array.from(
      { length: 30 },
      (_, n) => `a${n}: ${name}${passed(given)} ${selected(field, 0)}`,
    )
    await judge(`${root} x${head} { ${fields.join(' ')} }`, variables)
  })
})

const many = (count: number, make: (n: number) => string, apart = ' '): string =>
  Array.from({ length: count }, (_, n) => make(n)).join(apart)

/** A chain of fragments, each as deep as allowed. */
const inFragments = (count: number, step: string): string =>
  many(
    count,
    (n) =>
      `fragment f${n} on RootQueryType { ${step.repeat(24)} ...f${n + 1} __typename ${'} '.repeat(24)} }`,
  )

describe('a document', () => {
  it.each([
    ['of one field 250,000 times', `{ ${'a '.repeat(250_000)} }`],
    ['of one known field 40,000 times', `{ ${'latestBeacon{id} '.repeat(28_000)} }`],
    ['nested 100,000 deep', `${'{a'.repeat(100_000)}${'}'.repeat(100_000)}`],
    [
      'of fragments that name each other',
      `{ ...f0 } ${many(8_000, (n) => `fragment f${n} on RootQueryType { ...f${n + 1} }`)}`,
    ],
    [
      'of fragments that double',
      `{ ...f0 } ${many(40, (n) => `fragment f${n} on RootQueryType { ...f${n + 1} ...f${n + 1} }`)} fragment f40 on RootQueryType { latestBeacon { id } }`,
    ],
    ['of inline fragments', `{ ${many(30_000, () => '... { a }')} }`],
    ['of directives', `{ latestBeacon ${'@include(if: true) '.repeat(25_000)} { id } }`],
    ['of operations', many(20_000, (n) => `query q${n} { a }`)],
    ['of variables', `query(${many(20_000, (n) => `$v${n}: Int`, ',')}) { latestBeacon { id } }`],
    ['of one long string', `{ beacon(id: "${'x'.repeat(500_000)}") { id } }`],
    ['of one long comment', `#${'x'.repeat(500_000)}\n{ latestBeacon { id } }`],
    ['of a list of numbers', `{ listBlocks(filter: {height: {in: [${'1,'.repeat(200_000)}]}}) { count } }`],
    [
      'of nested filters',
      `{ listBlocks(filter: ${'{not:'.repeat(20_000)}{}${'}'.repeat(20_000)}) { count } }`,
    ],
    [
      'of introspection',
      `{ ${many(30, (n) => `a${n}: __schema { types { fields { args { type { ofType { ofType { name } } } } } } }`)} }`,
    ],
    [
      'of the largest lists',
      `{ ${many(7, (n) => `a${n}: listItems(first: 250) { results { id claims metadata tags } }`)} }`,
    ],
    [
      'of one large value under many names',
      `{ listItems(first: 250) { results { ${many(29, (n) => `a${n}: claims`)} } } }`,
    ],
    ['of the largest list alone', '{ listItems(first: 250) { results { id claims metadata } } }'],
    [
      'of relationships of relationships',
      '{ listBlocks(first: 40) { results { id items(first: 40) { id team { id memberships(first: 5) { id } } creator { id } } } } }',
    ],
    [
      'of expensive lists',
      `{ ${many(30, (n) => `a${n}: listItems(first: 1, filter: {displayName: {contains: "${n}"}}) { count }`)} }`,
    ],
    ['of mistakes', `{ ${many(20_000, (n) => `x${n}`)} }`],
    ['of long names', `{ ${'x'.repeat(400_000)} }`],
    ['nested in fragments', `{ ...f0 } ${inFragments(110, 'previous { ')}`],
    ['nested in inline fragments', `{ ...f0 } ${inFragments(80, '... { ')}`],
    ['of unknown fragments', `{ ${many(250, (n) => `...f${n}`)} }`],
    [
      'of fragments that are each compared with each',
      `{ ${many(249, (n) => `...f${n}`)} } ${many(249, (n) => `fragment f${n} on RootQueryType { ${many(28, (k) => `f${n}x${k}`)} }`)}`,
    ],
    [
      'of fragments that are each compared with each, under known names',
      `{ __typename } fragment f on RootQueryType { ${many(249, (n) => `...f${n}`)} } ${many(249, (n) => `fragment f${n} on RootQueryType { ${many(9, (k) => `f${n}x${k}: __typename`)} }`)}`,
    ],
    ['of variables, as many as there may be', `query(${many(1_900, (n) => `$v${n}: Int`)}) { __typename }`],
    [
      'of one variable, shared by operations',
      `${many(3, (n) => `query q${n}($v: Int) { ...f }`)} fragment f on RootQueryType { listBlocks(filter: {height: {in: [${'$v '.repeat(4_500)}]}}) { count } }`,
    ],
    [
      'of values that are compared',
      `{ ${many(2, () => `listBlocks(filter: {height: {in: [${'1 '.repeat(4_800)}]}}) { count }`)} }`,
    ],
    [
      'of introspection within introspection',
      `{ __typename } fragment f on RootQueryType { ${'__schema { '.repeat(180)} ${many(3_000, (n) => `a${n}: b`)} ${'} '.repeat(180)} }`,
    ],
    [
      'of as many names as there may be',
      `{ __typename } fragment f on Beacon { ${many(3_300, (n) => `a${n}: id`)} }`,
    ],
  ])('%s', async (_, query) => {
    await judge(query)
  })
})
