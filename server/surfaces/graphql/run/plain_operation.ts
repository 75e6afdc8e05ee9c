// An operation of one root field that shows plain members only, such as a page of rows. Its answer is written in one
// pass over the value, which graphql-js would first complete member by member.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getArgumentValues,
  getVariableValues,
  type OperationDefinitionNode,
} from 'graphql'
import type { JsonParts } from '../../../kernel/json_parts.ts'
import type { Arguments } from '../schema/decorate.ts'
import { compileSelection, fieldsIn, type Pieces } from './plain_selection.ts'
import type { ParsedOperation } from './prepare_operation.ts'

export interface PlainOperation {
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
  let plain = known.get(parsed.operation)
  if (plain === undefined) {
    plain = compile(schema, parsed) ?? 'not plain'
    known.set(parsed.operation, plain)
  }
  return plain === 'not plain' ? undefined : plain
}

function compile(
  schema: GraphQLSchema,
  { operation, fragments }: ParsedOperation,
): PlainOperation | undefined {
  const root = schema.getRootType(operation.operation)
  const fields = root ? fieldsIn(root, [operation.selectionSet], fragments) : undefined
  const [[key, nodes] = [], another] = fields ?? []
  if (!root || key === undefined || nodes === undefined || another !== undefined) return undefined
  const [node] = nodes
  const field = node === undefined ? undefined : root.getFields()[node.name.value]
  const pieces = field === undefined ? undefined : compileSelection(field.type, nodes, fragments)
  if (node === undefined || field?.resolve === undefined || pieces === undefined) return undefined
  const resolverFor = resolversOf({ schema, operation, fragments, root, key, nodes, node, field })
  return { key, pieces, resolverFor }
}

interface RootField {
  readonly schema: GraphQLSchema
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly root: GraphQLObjectType
  readonly key: string
  readonly nodes: readonly FieldNode[]
  readonly node: FieldNode
  readonly field: GraphQLField<unknown, unknown>
}

function resolversOf(parts: RootField): PlainOperation['resolverFor'] {
  const { schema, operation, fragments, root, key, nodes, node, field } = parts
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
  return (variables) => {
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variables)
    const given = coerced === undefined ? undefined : argumentsOf(field, node, coerced)
    if (coerced === undefined || given === undefined) return undefined
    return (context) => field.resolve?.(undefined, given, context, { ...info, variableValues: coerced })
  }
}

function argumentsOf(
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
