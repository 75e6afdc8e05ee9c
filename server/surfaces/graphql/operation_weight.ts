// What an operation weighs beyond one request: its root fields, its lists, and what it submits.
import { GraphQLError, type GraphQLSchema, getArgumentValues, getVariableValues } from 'graphql'
import { StrictJsonError } from '../../../shared/proof/strict_json_error.ts'
import type { Catalog, PublishedAction, PublishedOperation } from '../../catalog/catalog.ts'
import type { Arguments } from './decorate.ts'
import type { ReadText } from './json_texts.ts'
import { camelCase } from './names.ts'
import type { ParsedOperation } from './prepare_operation.ts'
import { isList, isSized, rootFields } from './root_fields.ts'

/** So many root fields come with a request, and one list among them. */
const FREE_FIELDS = 10
const FREE_LISTS = 1

type Weighed = Extract<PublishedOperation, { kind: 'create' }> | PublishedAction

/** The operations that say what they weigh, by their GraphQL names. */
export const weighedOperations = ({ resources, actions }: Catalog): ReadonlyMap<string, Weighed> =>
  new Map(
    [...resources.flatMap(({ operations }) => operations), ...actions].flatMap((one) =>
      (one.kind === 'create' || one.kind === 'action') && one.weigh !== undefined
        ? [[one.graphql, one] as const]
        : [],
    ),
  )

/** Units of work beyond the one that every request has, of an operation that is valid. */
export function weighOperation(
  schema: GraphQLSchema,
  parsed: ParsedOperation,
  weighed: ReadonlyMap<string, Weighed>,
  readText: ReadText,
): number {
  const type = schema.getRootType(parsed.operation.operation)
  const nodes = rootFields(parsed)
  const fields = nodes.flatMap((node) => {
    const field = type?.getFields()[node.name.value]
    return field === undefined ? [] : [{ node, field }]
  })
  const lists = fields.filter(({ field }) => isSized(field) || isList(field)).length
  let submitted = 0
  const writes =
    parsed.operation.operation === 'mutation' ? fields.filter(({ field }) => weighed.has(field.name)) : []
  if (writes.length > 0) {
    const { coerced } = getVariableValues(schema, parsed.operation.variableDefinitions ?? [], {
      ...parsed.variables,
    })
    for (const { node, field } of writes) {
      const operation = weighed.get(field.name)
      if (operation === undefined || coerced === undefined) continue
      try {
        submitted +=
          operation.weigh?.(unjudged(operation, getArgumentValues(field, node, coerced), readText)) ?? 0
      } catch (error) {
        // What is wrong with an argument is told when it is used; nothing is submitted then.
        if (!(error instanceof GraphQLError)) throw error
      }
    }
  }
  return (
    Math.max(0, nodes.length - FREE_FIELDS) + Math.max(0, lists - FREE_LISTS) + Math.max(0, submitted - 1)
  )
}

/** One attribute as the operation's verb reads it, save that nobody has judged it. */
function unjudged({ kind, accepts }: Weighed, given: Arguments, readText: ReadText) {
  const input: unknown = kind === 'create' ? given.input : given
  return (name: string): unknown => {
    if (typeof input !== 'object' || input === null) return undefined
    const value: unknown = Reflect.get(input, camelCase(name))
    const isText = accepts[name]?.kind.graphql === 'JsonString' && typeof value === 'string'
    return isText ? jsonOrNothing(value, readText) : value
  }
}

function jsonOrNothing(text: string, readText: ReadText): unknown {
  try {
    return readText(text)
  } catch (error) {
    if (error instanceof StrictJsonError) return undefined
    throw error
  }
}
