// Checks the values of variables against their types. GraphQL does so too, but it writes every invalid object into
// every message. With many unknown members the messages would grow with the square of the input.
import {
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql'
import type { Arguments } from '../schema/decorate.ts'

/** Returns the first mistakes, up to the maximum. Execution reports a missing variable. */
export function judgeVariables(
  schema: GraphQLSchema,
  { operation, variables }: { readonly operation: OperationDefinitionNode; readonly variables: Arguments },
  most: number,
): readonly GraphQLError[] {
  const found: GraphQLError[] = []
  for (const node of operation.variableDefinitions ?? []) {
    const name = node.variable.name.value
    const type = typeFromAST(schema, node.type)
    if (!Object.hasOwn(variables, name) || type === undefined || !isInputType(type)) continue
    for (const { path, rule } of mistakes(variables[name], type, [name])) {
      const at = path === name ? '' : ` at "${path}"`
      found.push(new GraphQLError(`Variable "$${name}" is invalid${at}; ${rule}`, { nodes: node.variable }))
      if (found.length >= most) return found
    }
  }
  return found
}

interface Mistake {
  /** e.g. `input.tags[3]` */
  readonly path: string
  readonly rule: string
}

/** The path to the current value: names and indexes. */
type Trail = (string | number)[]

/**
 * Yields mistakes in GraphQL's order, by GraphQL's rules. A mistake names only the place of a value, never the value.
 */
function* mistakes(value: unknown, type: GraphQLInputType, trail: Trail): Generator<Mistake> {
  if (isNonNullType(type)) {
    if (value === null || value === undefined)
      yield at(trail, `Expected non-nullable type "${String(type)}" not to be null.`)
    else yield* mistakes(value, type.ofType, trail)
  } else if (value === null || value === undefined) return
  else if (isListType(type)) {
    if (Array.isArray(value)) yield* inList(value, type.ofType, trail)
    else yield* mistakes(value, type.ofType, trail)
  } else if (isInputObjectType(type)) {
    if (isRecord(value)) yield* inObject(value, type, trail)
    else yield at(trail, `Expected type "${type.name}" to be an object.`)
  } else if (isLeafType(type) && !isOfLeaf(value, type))
    yield at(trail, `Expected a value of type "${type.name}".`)
}

function* inList(values: readonly unknown[], type: GraphQLInputType, trail: Trail): Generator<Mistake> {
  const named = getNullableType(type)
  for (let index = 0; index < values.length; index += 1) {
    // A fast check without a generator for each element, because most elements are valid.
    if (isLeafType(named) && isOfLeaf(values[index], named)) continue
    trail.push(index)
    yield* mistakes(values[index], type, trail)
    trail.pop()
  }
}

function* inObject(
  value: Readonly<Record<string, unknown>>,
  type: GraphQLInputObjectType,
  trail: Trail,
): Generator<Mistake> {
  const fields = type.getFields()
  for (const field of Object.values(fields)) {
    const member = value[field.name]
    if (member === undefined && isRequiredInputField(field))
      yield at(trail, `Field "${field.name}" of required type "${String(field.type)}" was not provided.`)
    if (member === undefined) continue
    trail.push(field.name)
    yield* mistakes(member, field.type, trail)
    trail.pop()
  }
  for (const name in value)
    if (!Object.hasOwn(fields, name))
      yield at(trail, `Field "${name.slice(0, LONGEST)}" is not defined by type "${type.name}".`)
}

/** The most characters of a place, or of a name from the client. */
const LONGEST = 200

const at = (trail: Trail, rule: string): Mistake => ({
  path: trail
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('')
    .slice(0, LONGEST),
  rule,
})

function isOfLeaf(value: unknown, type: GraphQLLeafType): boolean {
  // No scalar of ours accepts an object, and the error message would repeat the whole object.
  if (typeof value === 'object') return false
  try {
    return type.parseValue(value) !== undefined
  } catch {
    return false
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
