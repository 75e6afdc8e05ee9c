// Operations nobody would write, made from the schema itself: never a 5xx, always the documented shape, no fault of ours.
import fc from 'fast-check'
import {
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import { cursorCodec } from '../../../server/contract/keyset.ts'
import { buildGraphqlSchema } from '../../../server/surfaces/graphql/schema/build_schema.ts'
import { testApp } from '../../support/test_app.ts'
import { askGraphql, graphqlOf } from './ask_graphql.ts'

const app = testApp()
beforeAll(async () => {
  await app.finalize(2)
})
afterAll(async () => {
  expect(app.logged.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([])
})

const schema = buildGraphqlSchema({
  catalog,
  cursors: cursorCodec(Buffer.alloc(32)),
  beacons: () => Promise.reject(new Error('Nobody subscribes here.')),
})

const text = fc.oneof(
  fc.constantFrom(
    '',
    'x',
    '\0',
    '{}',
    '{"name":"a"}',
    '2026-01-01T00:00:00Z',
    '01MB78W7FGY7TZHKNWE7WA3Z57',
    '[1]',
    '🕰',
  ),
  fc.constantFrom(
    '01a2ce8e-9320-7630-bb7f-73edc8868b1d',
    'a'.repeat(64),
    'UTC',
    'committed',
    '\ud800'.toWellFormed(),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

/** A value written into the query, mostly of the right type. */
function literalOf(type: GraphQLInputType, depth: number): fc.Arbitrary<string> {
  if (isNonNullType(type)) return literalOf(type.ofType, depth)
  if (isListType(type))
    return fc.array(literalOf(type.ofType, depth + 1), { maxLength: 2 }).map((all) => `[${all.join(', ')}]`)
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name))
  if (isInputObjectType(type)) {
    if (depth > 4) return fc.constant('{}')
    const fields = Object.values(type.getFields())
    return fc
      .subarray(fields, { maxLength: Math.min(3, fields.length) })
      .chain((chosen) => {
        const all = [...new Set([...chosen, ...fields.filter((field) => isNonNullType(field.type))])]
        return fc.tuple(
          ...all.map((field) => literalOf(field.type, depth + 1).map((value) => `${field.name}: ${value}`)),
        )
      })
      .map((parts) => `{ ${parts.join(', ')} }`)
  }
  switch (type.name) {
    case 'Int':
      return fc.oneof(fc.constantFrom(0, 1, -1, 250, 2_147_483_647), fc.integer()).map(String)
    case 'Boolean':
      return fc.boolean().map(String)
    default:
      return fc.oneof(
        { weight: 9, arbitrary: text.map((one) => JSON.stringify(one.toWellFormed())) },
        fc.constant('null'),
      )
  }
}

function fieldOf(type: GraphQLObjectType, name: string, depth: number): fc.Arbitrary<string> {
  const field = type.getFields()[name]
  if (field === undefined) return fc.constant('__typename')
  return fc
    .subarray([...field.args])
    .chain((chosen) => {
      const all = [...new Set([...chosen, ...field.args.filter((arg) => isNonNullType(arg.type))])]
      return fc.tuple(
        fc.tuple(...all.map((arg) => literalOf(arg.type, 0).map((value) => `${arg.name}: ${value}`))),
        selectionOf(field.type, depth),
      )
    })
    .map(([args, selection]) => `${name}${args.length > 0 ? `(${args.join(', ')})` : ''}${selection}`)
}

function selectionOf(type: GraphQLOutputType, depth: number): fc.Arbitrary<string> {
  const named = getNamedType(type)
  if (!isObjectType(named)) return fc.constant('')
  const names = Object.entries(named.getFields())
    .filter(([, field]) => depth < 4 || !isObjectType(getNamedType(field.type)))
    .map(([name]) => name)
  return fc
    .subarray(names, { minLength: Math.min(1, names.length), maxLength: Math.min(4, names.length) })
    .chain((chosen) => fc.tuple(...chosen.map((name) => fieldOf(named, name, depth + 1))))
    .map((parts) => ` { ${['__typename', ...parts].join(' ')} }`)
}

const operation = (kind: 'query' | 'mutation', root: GraphQLObjectType) =>
  fc
    .subarray(Object.keys(root.getFields()), { minLength: 1, maxLength: 2 })
    .chain((names) => fc.tuple(...names.map((name) => fieldOf(root, name, 0))))
    .map((fields) => `${kind} { ${fields.join(' ')} }`)

describe('any operation of the schema', () => {
  it.each([
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const)('a %s is answered 200, without a fault of ours', async (kind, root) => {
    if (!root) throw new Error(`no ${kind}`)
    await fc.assert(
      fc.asyncProperty(fc.array(operation(kind, root), { minLength: 8, maxLength: 8 }), async (queries) => {
        await Promise.all(
          queries.map(async (query) => {
            const { errors } = graphqlOf(await askGraphql(app.port, app.owner.key, query))
            for (const { extensions } of errors ?? []) expect(extensions.code, query).not.toBe('internal')
          }),
        )
      }),
      { numRuns: 60, interruptAfterTimeLimit: 6_000, markInterruptAsFailure: false },
    )
  })
})
