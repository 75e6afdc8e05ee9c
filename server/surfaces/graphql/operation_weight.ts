// Computes what an operation costs beyond one request: its root fields, its lists and its submissions.
import { GraphQLError, type GraphQLSchema, getArgumentValues, getVariableValues } from 'graphql'
import { StrictJsonError } from '../../../shared/proof/strict_json_error.ts'
import type { Catalog, PublishedAction, PublishedOperation } from '../../catalog/catalog.ts'
import type { Arguments } from './decorate.ts'
import type { ReadText } from './json_texts.ts'
import { camelCase } from './names.ts'
import type { ParsedOperation } from './prepare_operation.ts'
import { isList, isSized, rootFields } from './root_fields.ts'

/** Root fields, and lists among them, that are included in the price of a request. */
const FREE_FIELDS = 10
const FREE_LISTS = 1

type Weighed = Extract<PublishedOperation, { kind: 'create' }> | PublishedAction

/** The operations with their own weight, by their GraphQL names. */
export const weighedOperations = ({ resources, actions }: Catalog): ReadonlyMap<string, Weighed> =>
  new Map(
    [...resources.flatMap(({ operations }) => operations), ...actions].flatMap((one) =>
      (one.kind === 'create' || one.kind === 'action') && one.weigh !== undefined
        ? [[one.graphql, one] as const]
        : [],
    ),
  )

/** Returns the units of work of a valid operation, beyond the one unit that every request costs. */
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
        // Execution reports the wrong argument, and then submits nothing.
        if (!(error instanceof GraphQLError)) throw error
      }
    }
  }
  return (
    Math.max(0, nodes.length - FREE_FIELDS) + Math.max(0, lists - FREE_LISTS) + Math.max(0, submitted - 1)
  )
}

/** Reads attributes for the operation's `weigh`, before any check. */
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
