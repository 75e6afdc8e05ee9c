// Ceilings on one operation: depth, size and number of aliases. They are checked before anything runs.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import type { Arguments } from '../schema/decorate.ts'
import { refusedAt } from '../schema/tell_errors.ts'
import { introspected, introspectionCost, mostIntrospection } from './introspection_cost.ts'
import { isList, isSized } from './root_fields.ts'

/** Bytes that each member of a list or object costs beside its content; also the cost of a number. */
const MEMBER_BYTES = 8

/**
 * Returns a function for the bytes of a field's arguments, with variables replaced by their values. Every node and
 * variable is measured once.
 */
function scale(variables: Arguments): (node: FieldNode) => number {
  const ofVariables = new Map<string, number>()
  const ofNodes = new Map<FieldNode, number>()
  const ofVariable = (name: string): number => {
    const known = ofVariables.get(name)
    if (known !== undefined) return known
    const bytes = bytesOf(variables[name])
    ofVariables.set(name, bytes)
    return bytes
  }
  const ofValue = (node: ValueNode): number => {
    switch (node.kind) {
      case Kind.VARIABLE:
        return ofVariable(node.name.value)
      case Kind.STRING:
        return Buffer.byteLength(node.value)
      case Kind.LIST:
        return node.values.reduce((sum, value) => sum + MEMBER_BYTES + ofValue(value), 0)
      case Kind.OBJECT:
        return node.fields.reduce((sum, { value }) => sum + MEMBER_BYTES + ofValue(value), 0)
      default:
        return MEMBER_BYTES
    }
  }
  return (node) => {
    const known = ofNodes.get(node)
    if (known !== undefined) return known
    const bytes = (node.arguments ?? []).reduce((sum, { value }) => sum + ofValue(value), 0)
    ofNodes.set(node, bytes)
    return bytes
  }
}

/** Uses a list instead of recursion, because the client decides the depth. */
function bytesOf(value: unknown): number {
  let bytes = 0
  const left: unknown[] = [value]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one === 'string') bytes += Buffer.byteLength(one)
    else bytes += MEMBER_BYTES
    if (Array.isArray(one)) for (const member of one) left.push(member)
    else if (typeof one === 'object' && one !== null)
      for (const [name, member] of Object.entries(one)) left.push(name, member)
  }
  return bytes
}

/**
 * Complexity estimates what must be fetched and shown. Every field counts 1. An object counts once per member of the
 * lists around it, with the requested size or else the default size. The plain values of a row count only once,
 * because they come with the row: 250 rows with all their fields are a normal page. Every KiB of arguments counts 1
 * at each place that uses it, because a value that was sent once may be stored or hashed many times.
 */
const QUERY_LIMITS = { depth: 12, complexity: 2_000, aliases: 30 } as const

/** The size assumed for a list without a requested size. */
const DEFAULT_SIZE = 25
const MAX_SIZE = 250

/**
 * The most steps of a walk. Fragments that only spread other fragments can take very many steps
 * without reaching a field.
 */
const MAX_STEPS = 20_000

interface Judged {
  readonly schema: GraphQLSchema
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: Arguments
}

/** @param judged the operation, with its variables as the client sent them */
export function overLimit(judged: Judged): GraphQLError | undefined {
  const { schema, operation, variables } = judged
  if (aliasesIn(judged) > QUERY_LIMITS.aliases) return over('aliases', 'has too many aliases')
  const type = schema.getRootType(operation.operation)
  if (type === undefined || type === null) return undefined
  const known = withDefaults(operation, variables)
  const tally: Tally = { complexity: 0, introspection: 0, steps: 0, weigh: scale(known) }
  const start: Place = { depth: 1, times: 1, size: undefined, within: [] }
  return walk({ ...judged, variables: known }, tally, operation.selectionSet, type, start)
}

/** Adds the defaults of variables that were left out. A variable with the value null stays null. */
function withDefaults({ variableDefinitions = [] }: OperationDefinitionNode, given: Arguments): Arguments {
  const known: Record<string, unknown> = { ...given }
  for (const { variable, defaultValue } of variableDefinitions) {
    const name = variable.name.value
    if (given[name] === undefined && defaultValue !== undefined)
      known[name] = valueFromASTUntyped(defaultValue)
  }
  return known
}

interface Tally {
  complexity: number
  /** Introspection fields, see `introspection_cost.ts`. */
  introspection: number
  steps: number
  readonly weigh: (node: FieldNode) => number
}

interface Place {
  readonly depth: number
  /** How many objects the answer has in this place. */
  readonly times: number
  /** The number of rows requested from the enclosing page. */
  readonly size: number | undefined
  /** The fragments that contain the current selection. */
  readonly within: readonly string[]
}

function walk(
  judged: Judged,
  tally: Tally,
  set: SelectionSetNode,
  type: GraphQLObjectType,
  place: Place,
): GraphQLError | undefined {
  if (place.depth > QUERY_LIMITS.depth) return over('depth', 'is nested too deeply')
  for (const selection of set.selections) {
    tally.steps += 1
    if (tally.steps > MAX_STEPS) return over('complexity', 'asks for too much')
    if (selection.kind !== 'Field') {
      const named = selection.kind === 'FragmentSpread' ? selection.name.value : undefined
      const inner = named === undefined ? selection : judged.fragments.get(named)
      // GraphQL's own rule reports a fragment that contains itself.
      if (inner === undefined || !('selectionSet' in inner)) continue
      if (named !== undefined && place.within.includes(named)) continue
      const within = named === undefined ? place.within : [...place.within, named]
      const found = walk(judged, tally, inner.selectionSet, type, { ...place, within })
      if (found !== undefined) return found
      continue
    }
    const field = type.getFields()[selection.name.value]
    const found =
      field === undefined
        ? countIntrospection(judged, tally, selection)
        : walkField(judged, tally, selection, field, place)
    if (found !== undefined) return found
  }
  return undefined
}

/** Counts introspection fields. GraphQL's own rule reports other unknown fields. */
function countIntrospection(
  { schema, fragments }: Judged,
  tally: Tally,
  node: FieldNode,
): GraphQLError | undefined {
  if (introspected(node) === undefined) return undefined
  tally.introspection += introspectionCost(schema, node, fragments)
  const maximum = mostIntrospection(schema)
  if (tally.introspection <= maximum) return undefined
  const detail = 'the query asks for the schema too often'
  return refusedAt('query_too_expensive', detail, { limit: 'introspection', maximum: Math.floor(maximum) })
}

function walkField(
  judged: Judged,
  tally: Tally,
  node: FieldNode,
  field: GraphQLField<unknown, unknown>,
  place: Place,
): GraphQLError | undefined {
  const target = getNamedType(field.type)
  const isMany = isList(field)
  const size = isSized(field) ? sizeOf(node, judged.variables) : place.size
  const times = isLeafType(target) ? 1 : place.times * (isMany ? (size ?? DEFAULT_SIZE) : 1)
  tally.complexity += times + place.times * Math.floor(tally.weigh(node) / KIB)
  if (tally.complexity > QUERY_LIMITS.complexity) return over('complexity', 'asks for too much')
  if (!isObjectType(target) || node.selectionSet === undefined) return undefined
  return walk(judged, tally, node.selectionSet, target, {
    depth: place.depth + 1,
    times,
    // A page passes its size to its rows. A list has already applied it.
    size: isMany ? undefined : size,
    within: place.within,
  })
}

const KIB = 1_024

/** The value of `first` or `last`, literal or from a variable. */
function sizeOf(node: FieldNode, variables: Arguments): number {
  const asked = (node.arguments ?? [])
    .filter(({ name }) => name.value === 'first' || name.value === 'last')
    .map(({ value }) => valueFromASTUntyped(value, variables))
    .filter((value) => typeof value === 'number')
  return asked.length === 0
    ? DEFAULT_SIZE
    : Math.min(
        MAX_SIZE,
        asked.reduce((most, size) => Math.max(most, size), 1),
      )
}

function aliasesIn({ operation, fragments }: Judged): number {
  let aliases = 0
  for (const node of [operation, ...fragments.values()])
    visit(node, {
      Field: ({ alias }) => {
        if (alias !== undefined) aliases += 1
      },
    })
  return aliases
}

const over = (limit: keyof typeof QUERY_LIMITS, detail: string): GraphQLError =>
  refusedAt('query_too_expensive', `the query ${detail}`, { limit, maximum: QUERY_LIMITS[limit] })
