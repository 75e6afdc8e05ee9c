// Requests made from the document alone: good ones, bad ones, and everything between, each from its parameters and schemas.
import fc from 'fast-check'
import { asSchema, type Schema } from '../surfaces/openapi/json_schema.ts'
import type { DocumentedOperation, DocumentedParameter } from '../surfaces/openapi/open_document.ts'

export interface MadeRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Values that exist, by the name of a schema or the tag of an operation. */
export type Pool = Readonly<Record<string, readonly string[]>>

interface Making {
  readonly resolve: (reference: string) => Schema
  readonly pool: Pool
}

export function requestsFor(making: Making, operation: DocumentedOperation): fc.Arbitrary<MadeRequest> {
  const { parameters, path, body, tag } = operation
  const inPath = parameters.filter((one) => one.in === 'path')
  const others = parameters.filter((one) => one.in !== 'path')
  return fc
    .record({
      values: fc.tuple(...inPath.map((one) => pathValue(making, one, tag))),
      // A few at a time: all at once would hardly ever be good.
      given: fc
        .subarray([...others], { maxLength: Math.min(3, others.length) })
        .chain((some) =>
          fc.tuple(...some.map((one) => parameterValue(making, one).map((pairs) => [one, pairs] as const))),
        ),
      body: body === undefined ? fc.constant(undefined) : bodyFor(making, body),
    })
    .map(({ values, given, body: sent }) => {
      const filled = inPath.reduce(
        (at, { name }, index) => at.replace(`{${name}}`, encodeURIComponent(values[index] ?? '')),
        path,
      )
      const query = new URLSearchParams(
        given.flatMap(([one, pairs]) => (one.in === 'query' ? pairs.map((pair) => [...pair]) : [])),
      )
      const headers = given.flatMap(([one, [pair]]) =>
        one.in === 'header' ? [[one.name, pair?.[1] ?? '']] : [],
      )
      return {
        path: query.size === 0 ? filled : `${filled}?${query}`,
        headers: Object.fromEntries(headers),
        body: sent,
      }
    })
}

const pathValue = (
  making: Making,
  { name, schema }: DocumentedParameter,
  tag: string,
): fc.Arbitrary<string> => {
  const known = making.pool[`${tag}.${name}`] ?? making.pool[tag] ?? []
  const existing = known.length === 0 ? [] : [{ arbitrary: fc.constantFrom(...known), weight: 4 }]
  return fc.oneof(
    ...existing,
    { arbitrary: valueFor(making, schema).map(String), weight: 2 },
    {
      arbitrary: fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !/^\.{1,2}$/.test(text)),
      weight: 1,
    },
  )
}

/** Names and values, as they stand in the query. */
export type Pairs = readonly (readonly [string, string])[]

/** A list is one text with commas, or one parameter per member; an object has its members in brackets. */
export const documentedValue = (
  making: Making,
  { name, schema, style, explode, in: place }: DocumentedParameter,
): fc.Arbitrary<Pairs> =>
  style === 'deepObject'
    ? bracketed(making, schema, name)
    : valueFor(making, schema).map((value) => {
        if (!Array.isArray(value)) return [[name, sendable(place, String(value))]]
        return explode ? value.map((one) => [name, String(one)] as const) : [[name, value.join(',')]]
      })

/** So deep and no deeper: a filter may hold filters. */
const DEEPEST = 2

function bracketed(making: Making, schema: Schema, at: string, depth = 0): fc.Arbitrary<Pairs> {
  const { $ref, anyOf, type, properties, additionalProperties } = schema
  const within = (one: unknown, name: string | number) =>
    bracketed(making, asSchema(one), `${at}[${name}]`, depth + 1)
  const all = (parts: fc.Arbitrary<Pairs>[]) => fc.tuple(...parts).map((pairs) => pairs.flat())
  if (typeof $ref === 'string' && making.pool[$ref.split('/').at(-1) ?? ''] === undefined)
    return bracketed(making, making.resolve($ref), at, depth)
  if (Array.isArray(anyOf))
    return fc.oneof(...anyOf.map((one) => bracketed(making, asSchema(one), at, depth)))
  if (type === 'array')
    return valueFor(making, schema).map((list) => (list as unknown[]).map((one) => [`${at}[]`, String(one)]))
  if (type !== 'object') return valueFor(making, schema).map((value) => [[at, String(value)]])
  if (properties === undefined)
    return fc
      .integer({ min: 1, max: 2 })
      .chain((count) => all(Array.from({ length: count }, (_, index) => within(additionalProperties, index))))
  const members = Object.entries(asSchema(properties)).filter(
    ([, one]) => depth < DEEPEST || !holdsFilters(making, asSchema(one)),
  )
  return fc
    .subarray(members, { minLength: 1, maxLength: Math.min(2, members.length) })
    .chain((some) => all(some.map(([name, one]) => within(one, name))))
}

/** A whole filter, or a group of them. */
function holdsFilters(making: Making, { $ref }: Schema): boolean {
  const { properties, additionalProperties } = typeof $ref === 'string' ? making.resolve($ref) : {}
  return additionalProperties !== undefined || Object.hasOwn(asSchema(properties ?? {}), 'and')
}

function parameterValue(making: Making, parameter: DocumentedParameter): fc.Arbitrary<Pairs> {
  const { name } = parameter
  const known = making.pool[name] ?? []
  const good = documentedValue(making, parameter)
  const odd = parameter.in === 'header' ? fc.constantFrom('x', 'a b', '"', '*') : fc.string({ maxLength: 6 })
  const one = (text: string): Pairs => [[name, text]]
  return fc.oneof(
    { arbitrary: good, weight: 5 },
    ...(known.length === 0 ? [] : [{ arbitrary: fc.constantFrom(...known).map(one), weight: 3 }]),
    { arbitrary: odd.map(one), weight: 1 },
  )
}

/** The example, a document by the schema, or either with something amiss. */
function bodyFor(
  making: Making,
  { schema, example }: NonNullable<DocumentedOperation['body']>,
): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: fc.constant(example), weight: 2 },
    { arbitrary: valueFor(making, schema), weight: 4 },
    {
      arbitrary: fc.tuple(valueFor(making, schema), fc.jsonValue({ maxDepth: 2 }), fc.nat(9)).map(spoil),
      weight: 2,
    },
    { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 },
  )
}

/** Puts another value in the place of one member, somewhere. */
function spoil([value, other, turns]: readonly [unknown, unknown, number]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return other
  const names = Object.keys(value)
  const name = names[turns % Math.max(names.length, 1)]
  if (name === undefined) return { spoilt: other }
  const member: unknown = Object.entries(value).find(([own]) => own === name)?.[1]
  const deeper = turns > 2 && typeof member === 'object' && member !== null
  return { ...value, [name]: deeper ? spoil([member, other, Math.floor(turns / 2)]) : other }
}

/** Values of a schema, as far as our document needs them. */
function valueFor(making: Making, schema: Schema): fc.Arbitrary<unknown> {
  const { $ref, enum: members, const: only, type, properties, items, anyOf, pattern, format } = schema
  if (typeof $ref === 'string') {
    const known = making.pool[$ref.split('/').at(-1) ?? ''] ?? []
    const fresh = valueFor(making, making.resolve($ref))
    return known.length === 0 ? fresh : fc.oneof(fc.constantFrom<unknown>(...known), fresh)
  }
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(members)) return fc.constantFrom<unknown>(...members)
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => valueFor(making, { ...schema, type: one })))
  if (type === undefined && Array.isArray(anyOf))
    return fc.oneof(...anyOf.map((one) => valueFor(making, asSchema(one))))
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: Number(schema.minimum ?? -3), max: Number(schema.maximum ?? 1_000) })
    case 'number':
      return fc.integer({ min: Number(schema.minimum ?? -3), max: Number(schema.maximum ?? 1_000) })
    case 'array': {
      const size = { minLength: Number(schema.minItems ?? 0), maxLength: 3 }
      const member = valueFor(making, asSchema(items))
      // A sort names a field once, in whichever direction.
      return schema.uniqueItems === true
        ? fc.uniqueArray(member, { ...size, selector: (one) => String(one).replace(/^-/, '') })
        : fc.array(member, size)
    }
    case 'object':
      return isClaims(schema)
        ? fc.oneof(CLAIMS, objectOf(making, schema))
        : properties === undefined
          ? fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
          : objectOf(making, schema)
    default:
      return textFor(pattern, format, Number(schema.minLength ?? 0), Number(schema.maxLength ?? 20))
  }
}

const objectOf = (making: Making, { properties, required }: Schema): fc.Arbitrary<unknown> =>
  fc.record(
    Object.fromEntries(
      Object.entries(asSchema(properties)).map(([name, one]) => [name, valueFor(making, asSchema(one))]),
    ),
    { requiredKeys: Array.isArray(required) ? required.map(String) : [] },
  )

/** Members that depend on each other are not made one by one. */
const isClaims = ({ properties, dependentRequired }: Schema): boolean =>
  dependentRequired !== undefined && properties !== undefined && 'hash_type' in asSchema(properties)

const CLAIMS = fc.record({
  name: fc.string({ minLength: 1, maxLength: 20 }),
  hash: fc.constant('ab'.repeat(32)),
  hash_type: fc.constantFrom('sha256', 'sha3_256', 'blake2s'),
})

function textFor(pattern: unknown, format: unknown, min: number, max: number): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid({ version: 7 })
  if (format === 'date-time')
    return fc
      .date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true })
      .map((at) => at.toISOString())
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern))
  return fc.string({ minLength: min, maxLength: Math.min(max, min + 20), unit: 'grapheme' })
}

/** Header fields carry visible ASCII here. */
const sendable = (place: string, text: string): string =>
  place === 'header' ? text.replace(/[^\x21-\x7e]/g, '~') : text
