// Runs a valid operation and writes its data as JSON. One root field of plain members, such as a page of rows, is
// written in one pass, which graphql-js would first complete member by member.
import {
  execute,
  type GraphQLError,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql'
import type { Ceilings } from '../../../kernel/ceilings.ts'
import type { YieldToEventLoop } from '../../../kernel/flow/in_pieces.ts'
import type { JsonParts } from '../../../kernel/json_text.ts'
import { kept } from '../../../kernel/lru.ts'
import type { Arguments } from '../schema/decorate.ts'
import { selectedFields } from '../schema/selected_fields.ts'
import { answerParts, answerPieces } from './answer_parts.ts'
import { compileSelection, Irregular, type Pieces } from './plain_selection.ts'
import type { ParsedOperation } from './prepare_operation.ts'
import { argumentsOf } from './root_fields.ts'

interface PlainOperation {
  /** The name of the field in the answer. */
  readonly key: string
  readonly pieces: Pieces
  /** The last frozen value of the field and its data. Frozen values are kept by who made them, such as beacons. */
  last?: { readonly value: unknown; readonly data: JsonParts }
  /** Returns undefined when variables or arguments are wrong, which graphql-js reports. */
  readonly resolverFor: (variables: Arguments) => ((context: object) => unknown) | undefined
}

const known = new WeakMap<OperationDefinitionNode, PlainOperation | 'not plain'>()

/** Returns undefined for other operations. @param parsed a valid operation */
export function plainOperation(schema: GraphQLSchema, parsed: ParsedOperation): PlainOperation | undefined {
  const plain = kept(known, parsed.operation, () => compile(schema, parsed) ?? 'not plain')
  return plain === 'not plain' ? undefined : plain
}

function compile(
  schema: GraphQLSchema,
  { operation, fragments }: ParsedOperation,
): PlainOperation | undefined {
  const root = schema.getRootType(operation.operation)
  const { fields, isConditional } = selectedFields([operation.selectionSet], fragments)
  const [[key, nodes] = [], another] = fields
  if (!root || isConditional || key === undefined || nodes === undefined || another !== undefined)
    return undefined
  const [node] = nodes
  const field = node === undefined ? undefined : root.getFields()[node.name.value]
  const pieces = field === undefined ? undefined : compileSelection(field.type, nodes, fragments)
  const resolve = field?.resolve
  if (node === undefined || field === undefined || resolve === undefined || pieces === undefined)
    return undefined
  const info: Omit<GraphQLResolveInfo, 'variableValues'> = {
    fieldName: field.name,
    fieldNodes: nodes,
    returnType: field.type,
    parentType: root,
    path: { prev: undefined, key, typename: root.name },
    schema,
    fragments: Object.fromEntries(fragments),
    rootValue: undefined,
    operation,
  }
  const resolverFor = (variables: Arguments) => {
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables)
    const given = coerced === undefined ? undefined : argumentsOf(field, node, coerced)
    if (coerced === undefined || given === undefined) return undefined
    return (context: object) => resolve(undefined, given, context, { ...info, variableValues: coerced })
  }
  return { key, pieces, resolverFor }
}

/** What this file needs of the context of resolvers. */
interface Running {
  /** See `graphql_context.ts`. */
  readonly settled?: () => unknown
  readonly yieldToEventLoop: YieldToEventLoop
  readonly services: { readonly ceilings: Pick<Ceilings, 'response_bytes'> }
}

export interface Ran {
  /** Undefined when nothing was executed, because a variable is wrong. */
  readonly data: JsonParts | 'too large' | undefined
  readonly errors?: readonly GraphQLError[] | undefined
}

/** One answer of each remembered document, see `prepare_operation.ts`, so 8 MiB in all. */
const MOST_KEPT_BYTES = 16_384

export async function runOperation(
  schema: GraphQLSchema,
  parsed: ParsedOperation,
  context: Running,
): Promise<Ran> {
  const plain = plainOperation(schema, parsed)
  const resolve = plain?.resolverFor(parsed.variables)
  if (plain === undefined || resolve === undefined) return runAny(schema, parsed, context)
  let value: unknown
  try {
    value = await resolve(context)
  } catch (error) {
    return runAny(schema, parsed, { ...context, settled: () => Promise.reject(error) })
  }
  if (plain.last !== undefined && plain.last.value === value) return { data: plain.last.data }
  try {
    const { services, yieldToEventLoop } = context
    const data = await answerPieces(
      plain.key,
      plain.pieces(value),
      services.ceilings.response_bytes,
      yieldToEventLoop,
    )
    if (data !== undefined && data.bytes <= MOST_KEPT_BYTES && Object.isFrozen(value))
      plain.last = { value, data }
    return { data: data ?? 'too large' }
  } catch (error) {
    if (!(error instanceof Irregular)) throw error
    return runAny(schema, parsed, { ...context, settled: () => value })
  }
}

async function runAny(
  schema: GraphQLSchema,
  { document, operationName, variables }: ParsedOperation,
  contextValue: Running,
): Promise<Ran> {
  const { data, errors } = await execute({
    schema,
    document,
    operationName,
    variableValues: variables,
    contextValue,
  })
  if (data === undefined) return { data, errors }
  const { services, yieldToEventLoop } = contextValue
  return {
    data: (await answerParts(data, services.ceilings.response_bytes, yieldToEventLoop)) ?? 'too large',
    errors,
  }
}
