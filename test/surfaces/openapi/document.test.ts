// The document is a sound OpenAPI 3.1 document, whole in itself, and its examples are what it says they are.
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { catalog } from '../../../server/catalog/catalog.ts'
import { REFUSALS } from '../../../server/kernel/refusal.ts'
import { HASH_TYPES } from '../../../shared/proof/claims.ts'
import { EVENT_NAMES } from '../../../shared/wire/webhook_events.ts'
import { expectGolden } from '../http/golden.ts'
import { asSchema, type Schema, violations } from './json_schema.ts'
import { EXAMPLE_BASE, openDocument, operationsOf, resolver } from './open_document.ts'

const document = openDocument()
const operations = operationsOf(document)
const checker = { resolve: resolver(document), closed: true }
const components = asSchema(document.components)
const section = (name: string) => asSchema(components[name])

const text = z.string().min(1)
const record = z.record(z.string(), z.unknown())
const reference = z.strictObject({
  $ref: z.string().startsWith('#/components/'),
  description: text.optional(),
})
const or = <T extends z.ZodType>(whole: T) => z.union([reference, whole])
const named = <T extends z.ZodType>(part: T) => z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), part)
const parameter = z.strictObject({
  name: text,
  in: z.enum(['path', 'query', 'header']),
  description: text,
  required: z.literal(true).optional(),
  style: z.enum(['form', 'deepObject']).optional(),
  explode: z.boolean().optional(),
  schema: record,
  example: z.unknown().optional(),
})
const header = z.strictObject({ description: text, schema: record, example: z.unknown() })
const example = z.strictObject({ summary: text.optional(), value: z.unknown() })
const content = z.record(
  z.enum(['application/vnd.api+json', 'application/json']),
  z.strictObject({ schema: record, examples: z.record(z.string(), or(example)).optional() }).optional(),
)
const response = z.strictObject({
  description: text,
  headers: z.record(z.string(), or(header)).optional(),
  content: content.optional(),
})
const operation = z.strictObject({
  operationId: z.string().regex(/^[A-Za-z0-9]+$/),
  tags: z.array(text).length(1),
  summary: text,
  description: text,
  parameters: z.array(or(parameter)),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  security: z.tuple([
    z.strictObject({ api_key: z.tuple([]) }),
    z.strictObject({ oauth2: z.tuple([z.enum(['api:read', 'api:write', 'account'])]) }),
  ]),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), or(response)),
})
const event = z.strictObject({
  operationId: z.string().regex(/^receive[A-Za-z]+$/),
  tags: z.array(text).length(1),
  summary: text,
  description: text,
  security: z.tuple([]),
  parameters: z.array(or(parameter)),
  requestBody: z.strictObject({ required: z.boolean(), content }),
  responses: z.record(z.string().regex(/^([1-5](\d\d|XX)|default)$/), z.strictObject({ description: text })),
})
const openapi = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: text,
    version: z.literal('1.2.3'),
    summary: text,
    description: text,
    license: z.strictObject({ name: text, identifier: text }),
  }),
  externalDocs: z.strictObject({ description: text, url: z.literal(`${EXAMPLE_BASE}/docs`) }),
  servers: z.tuple([z.strictObject({ url: z.literal(EXAMPLE_BASE) })]),
  tags: z.array(z.strictObject({ name: text, description: text })),
  paths: z.record(
    z.string().regex(/^\/api\/json(\/([a-z0-9_-]+|\{[a-z]+\}))+$/),
    z.strictObject({
      get: operation.optional(),
      post: operation.optional(),
      patch: operation.optional(),
      delete: operation.optional(),
    }),
  ),
  webhooks: z.record(z.enum(EVENT_NAMES), z.strictObject({ post: event })),
  components: z.strictObject({
    schemas: named(record),
    parameters: named(parameter),
    headers: named(header),
    responses: named(response),
    examples: named(example),
    securitySchemes: z.strictObject({
      api_key: z.strictObject({ type: z.literal('http'), scheme: z.literal('bearer'), description: text }),
      oauth2: z.strictObject({
        type: z.literal('oauth2'),
        description: text,
        flows: z.strictObject({
          authorizationCode: z.strictObject({
            authorizationUrl: z.literal(`${EXAMPLE_BASE}/oauth/authorize`),
            tokenUrl: z.literal(`${EXAMPLE_BASE}/oauth/token`),
            refreshUrl: z.literal(`${EXAMPLE_BASE}/oauth/token`),
            scopes: z.strictObject({ 'api:read': text, 'api:write': text, account: text }),
          }),
        }),
      }),
    }),
  }),
})

/** Every `$ref` below a node. */
function references(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(references)
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]) =>
    name === '$ref' && typeof value === 'string' ? [value] : references(value),
  )
}

/** Where an object schema stands that is no component. Conditions are none: they describe no value of their own. */
function inlineObjects(node: unknown, at: string): string[] {
  if (Array.isArray(node)) return node.flatMap((one, index) => inlineObjects(one, `${at}/${index}`))
  if (typeof node !== 'object' || node === null) return []
  const isComponent = /^\/components\/schemas\/[^/]+$/.test(at)
  const { type } = node as { type?: unknown }
  const own = !isComponent && (type === 'object' || (Array.isArray(type) && type.includes('object')))
  return [
    ...(own ? [at] : []),
    ...Object.entries(node).flatMap(([name, one]) =>
      ['if', 'then', 'else', 'example', 'examples', 'value'].includes(name)
        ? []
        : inlineObjects(one, `${at}/${name}`),
    ),
  ]
}

/** Schemas without a ceiling. @param scalars false for what the service writes itself */
function unbounded(node: unknown, scalars: boolean, at = ''): string[] {
  if (Array.isArray(node)) return node.flatMap((one, index) => unbounded(one, scalars, `${at}/${index}`))
  if (typeof node !== 'object' || node === null) return []
  const schema = asSchema(node)
  const types = [schema.type].flat()
  const isClosed = schema.enum !== undefined || schema.const !== undefined
  const isOpen = schema.additionalProperties !== undefined && schema.additionalProperties !== false
  const lacks = (type: string, keyword: string) => types.includes(type) && schema[keyword] === undefined
  const found =
    lacks('array', 'maxItems') ||
    (isOpen && lacks('object', 'maxProperties')) ||
    (scalars &&
      !isClosed &&
      (lacks('string', 'maxLength') ||
        (lacks('integer', 'maximum') && typeof schema['x-clamped-to'] !== 'number')))
  return [
    ...(found ? [at] : []),
    ...Object.entries(schema).flatMap(([name, one]) =>
      ['if', 'then', 'else', 'example', 'examples', 'enum', 'required', 'responses'].includes(name)
        ? []
        : unbounded(one, scalars, `${at}/${name}`),
    ),
  ]
}

describe('the document', () => {
  it('has the shape of OpenAPI 3.1', () => {
    expect(z.prettifyError(openapi.safeParse(document).error ?? new z.ZodError([]))).toBe('')
  })

  it('refers only to what is there, and leaves only 405 unreferred', () => {
    const used = new Set(references(document))
    for (const one of used) expect(() => checker.resolve(one), one).not.toThrow()
    const idle = Object.entries(components).flatMap(([name, parts]) =>
      name === 'securitySchemes'
        ? []
        : Object.keys(asSchema(parts)).flatMap((part) =>
            used.has(`#/components/${name}/${part}`) ? [] : [`${name}/${part}`],
          ),
    )
    expect(idle).toEqual(['responses/MethodNotAllowed'])
  })

  it('has every operation of the catalog once', () => {
    const published = [...catalog.resources.flatMap(({ operations: own }) => own), ...catalog.actions]
    const expected = published.flatMap((one) =>
      'http' in one ? [`${one.name} ${one.http.replace(/:(\w+)/g, '{$1}')}`] : [],
    )
    const documented = operations.map(
      ({ id, method, path }) => `${id} ${method} ${path.slice('/api/json'.length)}`,
    )
    expect(documented.toSorted()).toEqual(expected.toSorted())
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
    const tags = (document.tags as { name: string }[]).map(({ name }) => name)
    expect(new Set(operations.map(({ tag }) => tag))).toEqual(new Set(tags))
  })

  it('declares every path parameter, and no parameter twice', () => {
    for (const { id, path, parameters } of operations) {
      const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name)
      expect(inPath, id).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      // In whatever place: clients call them by their names.
      expect(new Set(parameters.map((one) => one.name.toLowerCase())).size, id).toBe(parameters.length)
    }
  })

  it('names every object schema, so that makers of clients need not', () => {
    expect(inlineObjects(document, '')).toEqual([])
    expect(inlineObjects({ schema: { type: ['object', 'null'] } }, '')).toEqual(['/schema'])
  })

  it('calls no two things alike, nor as clients call what they make of an operation', () => {
    const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
    const names = ['schemas', 'parameters', 'responses'].flatMap((one) =>
      Object.keys(section(one)).map(plain),
    )
    const taken = operations.flatMap(({ id }) =>
      ['Params', 'Response', 'RequestBody', 'JSONBody', 'JSONRequestBody'].map((end) => plain(`${id}${end}`)),
    )
    expect(names.filter((name, at) => names.indexOf(name) !== at || taken.includes(name))).toEqual([])
  })

  it('has a ceiling on every list and open object, and on all that a client sends', () => {
    const sent = [document.paths, section('parameters')]
    const bodies = Object.entries(section('schemas')).filter(([name]) =>
      /(Request|Arguments|Operators|Filter)$/.test(name),
    )
    expect(unbounded([...sent, ...bodies], true)).toEqual([])
    expect(unbounded(section('schemas'), false)).toEqual([])
  })

  it('says of what the service adds how much of it there can be', () => {
    const schemas = Object.entries(section('schemas')).map(
      ([name, schema]) => [name, asSchema(schema)] as const,
    )
    const ceilingOf = (schema: Schema, member: string) =>
      asSchema(asSchema(schema.properties ?? {})[member] ?? {}).maxItems
    for (const [name, schema] of schemas) {
      if (/^Errors\d+$/.test(name)) expect(ceilingOf(schema, 'errors'), name).toBe(50)
      if (/Page$/.test(name) && name !== 'PageMetaPage') expect(ceilingOf(schema, 'data'), name).toBe(250)
      if (asSchema(schema.properties ?? {}).included !== undefined)
        expect(ceilingOf(schema, 'included'), name).toBe(10_000)
    }
    expect(JSON.stringify(asSchema(document.info).description)).toMatch(/528384.*65536.*8388608.*10000/)
  })

  it('asks lists for few parameters, one for each field', () => {
    for (const { id, parameters } of operations) expect(parameters.length, id).toBeLessThan(45)
  })

  it('has only schemas that our checker knows every keyword of', () => {
    for (const [name, schema] of Object.entries(section('schemas')))
      for (const value of [null, {}, [], 'a', 1])
        expect(() => violations(checker, asSchema(schema), value), name).not.toThrow()
  })

  it('gives examples that satisfy the schemas they stand beside', () => {
    for (const { id, body, responses } of operations) {
      if (body !== undefined)
        expect(violations(checker, body.schema, body.example), `${id} request`).toEqual([])
      for (const [status, { content: media, examples }] of responses)
        for (const schema of media.values()) {
          expect(examples, `${id} ${status}`).toHaveLength(1)
          for (const one of examples) expect(violations(checker, schema, one), `${id} ${status}`).toEqual([])
        }
    }
  })

  it('lists every code at its status', () => {
    for (const [code, { status }] of Object.entries(REFUSALS)) {
      expect(asSchema(section('schemas')[`ProblemCode${status}`]).enum).toContain(code)
    }
  })

  it('is the one of test/golden/openapi.json', () => {
    expectGolden('openapi.json', `${JSON.stringify(document, null, 2)}\n`)
  })
})

describe('the schema of claims', () => {
  const claims = asSchema(section('schemas').Claims)
  const wrong = (value: unknown) => violations(checker, claims, value)

  it('takes a digest of every type at its length alone', () => {
    for (const [hash_type, length] of Object.entries(HASH_TYPES)) {
      expect(wrong({ name: 'a', hash_type, hash: 'a'.repeat(length) })).toEqual([])
      expect(wrong({ name: 'a', hash_type, hash: 'a'.repeat(length + 2) })).not.toEqual([])
    }
  })

  it('wants something claimed, by a name, and nothing unknown', () => {
    expect(wrong({ name: 'a', description: 'd'.repeat(32) })).toEqual([])
    expect(wrong({ name: 'a', metadata: { any: [1] } })).toEqual([])
    for (const none of [
      {},
      { name: 'a' },
      { name: 'a', description: 'short' },
      { name: 'a', metadata: {} },
      { name: 'a', hash: 'ab'.repeat(32) },
      { name: 'a', hash: 'AB'.repeat(32), hash_type: 'sha256' },
      { name: 'a', metadata: { b: 1 }, colour: 'red' },
      { name: 'a', metadata: { b: 1 }, url: 'http://example.com' },
      { name: 'a', metadata: { b: 1 }, location: { latitude: 91, longitude: 0 } },
      { name: 'a'.repeat(65), metadata: { b: 1 } },
    ])
      expect(wrong(none), JSON.stringify(none)).not.toEqual([])
  })
})
