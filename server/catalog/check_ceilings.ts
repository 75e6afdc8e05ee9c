// Finds published values without a ceiling. Every text, list, map and object must declare a maximum size.
import { isSchema, type JsonSchema } from '../contract/kinds/kind.ts'
import type { PublishedAction, PublishedOperation, PublishedResource } from './catalog.ts'

/** Returns one message per mistake in the resource; each message names the place. */
export function withoutCeiling(resource: PublishedResource): string[] {
  const { type, id, fields, relationships, operations, page } = resource
  return [
    ...unbounded(id.schema, `${type}.id`),
    ...Object.entries(fields).flatMap(([name, { kind }]) => unbounded(kind.schema, `${type}.${name}`)),
    ...Object.entries(relationships).flatMap(([name, { many, most }]) =>
      many && !isCeiling(most) ? [`${type}.${name} has no ceiling: a relationship to many says most`] : [],
    ),
    ...(isCeiling(page.max) ? [] : [`${type} has no ceiling: its pages say max`]),
    ...operations.flatMap((operation) => takenWithoutCeiling(operation)),
  ]
}

/** Checks the inputs of an operation or action, and the lists in its result. */
export function takenWithoutCeiling(operation: PublishedOperation | PublishedAction): string[] {
  const { name } = operation
  const accepts = 'accepts' in operation ? operation.accepts : {}
  const parameters = 'parameters' in operation ? operation.parameters : {}
  const once = 'meta' in operation ? (operation.meta?.fields ?? {}) : {}
  return [
    ...Object.entries({ ...accepts, ...once }).flatMap(([member, { kind }]) =>
      unbounded(kind.schema, `${name}.${member}`),
    ),
    ...Object.entries(accepts).flatMap(([member, { kind }]) =>
      kind.input === undefined ? [`${name}.${member} is taken, and nothing judges it`] : [],
    ),
    ...Object.entries(parameters).flatMap(([member, { schema }]) => unbounded(schema, `${name}.${member}`)),
    ...('result' in operation && operation.result !== undefined
      ? unbounded(operation.result, `the result of ${name}`, { texts: false })
      : []),
  ]
}

/**
 * Checks a schema and everything inside it. A ceiling in bytes also bounds the texts inside it.
 * @param texts false for results: the server writes these texts itself, so their lengths follow from bounded values
 */
function unbounded(schema: JsonSchema, at: string, { texts = true } = {}): string[] {
  const inner = (node: unknown, where: string): string[] =>
    isSchema(node) ? unbounded(node, where, { texts: texts && !isCeiling(schema['x-max-bytes']) }) : []
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  const isClosed = schema.enum !== undefined || schema.const !== undefined || schema.$ref !== undefined
  const missing = (what: string): string => `${at} has no ceiling: a schema of it says ${what}`
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((one) =>
    Array.isArray(one) ? one : [],
  )
  const isTyped = isClosed || branches.length > 0 || schema.type !== undefined
  const named = isSchema(schema.properties) ? Object.entries(schema.properties) : []
  const isBoundObject =
    schema.properties !== undefined ||
    isCeiling(schema.maxProperties) ||
    schema.additionalProperties === false
  return [
    ...(isTyped ? [] : [missing('what it is')]),
    ...(texts && types.includes('string') && !isClosed && !isCeiling(schema.maxLength)
      ? [missing('maxLength')]
      : []),
    ...(types.includes('array') && !isCeiling(schema.maxItems) ? [missing('maxItems')] : []),
    ...(types.includes('object') && !isBoundObject ? [missing('maxProperties')] : []),
    ...(isSchema(schema.additionalProperties) && !isSchema(schema.propertyNames)
      ? [missing('propertyNames')]
      : []),
    ...inner(schema.propertyNames, `a name in ${at}`),
    ...inner(schema.additionalProperties, `${at}.*`),
    ...inner(schema.items, `${at}[]`),
    ...named.flatMap(([name, one]) => inner(one, `${at}.${name}`)),
    ...branches.flatMap((one) => inner(one, at)),
  ]
}

const isCeiling = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value)
