// The root fields of an operation: what they are called, and what they cost beyond one request.
import {
  type FieldNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql'
import { readOrUndefined } from '../../../../shared/proof/bytes.ts'
import type { Catalog, PublishedAction, PublishedOperation } from '../../../catalog/catalog.ts'
import { kept } from '../../../kernel/lru.ts'
import { isList, isSized } from '../limits/measure_operation.ts'
import type { Arguments } from '../schema/decorate.ts'
import { camelCase } from '../schema/names.ts'
import type { ReadText } from '../schema/scalars.ts'
import { selectedFields } from '../schema/selected_fields.ts'
import type { ParsedOperation } from './prepare_operation.ts'

const known = new WeakMap<OperationDefinitionNode, readonly FieldNode[]>()

/**
 * Returns one field per name in the answer. Fields that a directive skips count too. The result is cached per operation,
 * whose fragments are those of its document.
 */
export const rootFields = ({ operation, fragments }: ParsedOperation): readonly FieldNode[] =>
  kept(known, operation, () => {
    const { fields } = selectedFields([operation.selectionSet], fragments)
    return [...fields.values()].flatMap(([first]) => first ?? [])
  })

/**
 * The operation's name in the log and the metrics: its root field, or `several`. Only for an operation that is valid,
 * so that the names are those of the schema.
 */
export function operationName(parsed: ParsedOperation): string {
  const names = new Set(rootFields(parsed).map(({ name }) => name.value))
  const [first = 'none'] = names
  return names.size > 1 ? 'several' : first
}

/** True when the operation has no other root fields than these. */
export function asksOnlyFor(parsed: ParsedOperation, names: ReadonlySet<string>): boolean {
  const fields = rootFields(parsed)
  return (
    parsed.operation.operation === 'query' &&
    fields.length > 0 &&
    fields.every(({ name }) => names.has(name.value))
  )
}

/** Root fields, and lists among them, that are included in the price of a request. */
const FREE_FIELDS = 10
const FREE_LISTS = 1

type Weighed = Extract<PublishedOperation, { kind: 'create' }> | PublishedAction

/** The operations with their own weight, by their GraphQL names. */
export const weighedOperations = ({ operations }: Catalog): ReadonlyMap<string, Weighed> =>
  new Map(
    operations.flatMap(({ operation: one }) =>
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
  const { operation } = parsed
  const units = kept(unitsOfFields, operation, () => weighFields(fieldsOf(schema, parsed)))
  if (operation.operation !== 'mutation') return units
  return units + Math.max(0, submittedBy(schema, parsed, weighed, readText) - 1)
}

/** What the fields of an operation cost, whatever its variables are. */
const unitsOfFields = new WeakMap<OperationDefinitionNode, number>()

interface RootField {
  readonly node: FieldNode
  /** Undefined for introspection. */
  readonly field: GraphQLField<unknown, unknown> | undefined
}

function fieldsOf(schema: GraphQLSchema, parsed: ParsedOperation): readonly RootField[] {
  const fields = schema.getRootType(parsed.operation.operation)?.getFields()
  return rootFields(parsed).map((node) => ({ node, field: fields?.[node.name.value] }))
}

function weighFields(fields: readonly RootField[]): number {
  const lists = fields.filter(({ field }) => field !== undefined && (isSized(field) || isList(field))).length
  return Math.max(0, fields.length - FREE_FIELDS) + Math.max(0, lists - FREE_LISTS)
}

/** The weight of everything that a mutation submits. */
function submittedBy(
  schema: GraphQLSchema,
  parsed: ParsedOperation,
  weighed: ReadonlyMap<string, Weighed>,
  readText: ReadText,
): number {
  const writes = fieldsOf(schema, parsed).flatMap(({ node, field }) => {
    const operation = field === undefined ? undefined : weighed.get(field.name)
    return field === undefined || operation === undefined ? [] : [{ node, field, operation }]
  })
  if (writes.length === 0) return 0
  const { coerced } = getVariableValues(schema, parsed.operation.variableDefinitions ?? [], parsed.variables)
  if (coerced === undefined) return 0
  return writes.reduce((submitted, { node, field, operation }) => {
    const given = argumentsOf(field, node, coerced)
    return submitted + ((given && operation.weigh?.(unjudged(operation, given, readText))) ?? 0)
  }, 0)
}

/** Undefined when an argument is wrong: execution reports it, and then does nothing. */
export function argumentsOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Record<string, unknown>,
): Record<string, unknown> | undefined {
  try {
    return getArgumentValues(field, node, variables)
  } catch (error) {
    if (error instanceof GraphQLError) return undefined
    throw error
  }
}

/** Reads attributes for the operation's `weigh`, before any check. */
function unjudged({ kind, accepts }: Weighed, given: Arguments, readText: ReadText) {
  const input: unknown = kind === 'create' ? given.input : given
  return (name: string): unknown => {
    if (typeof input !== 'object' || input === null) return undefined
    const value: unknown = Reflect.get(input, camelCase(name))
    const isText = accepts[name]?.kind.graphql === 'JsonString' && typeof value === 'string'
    return isText ? readOrUndefined(() => readText(value)) : value
  }
}
