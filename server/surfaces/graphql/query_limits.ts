// What one operation may ask for: how deep, how much, under how many names. Looked at before anything runs.
import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLArgument,
  type GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import type { Arguments } from './decorate.ts'
import { refusedAt } from './tell_errors.ts'

/**
 * Complexity is what has to be fetched and shown: 1 for every field, and an object counts as often as the lists it
 * stands in have members, by the size that is asked for, or else by default. A row's own values come with the row, so
 * they count once: 250 rows with all their fields are one honest page.
 */
export const QUERY_LIMITS = { depth: 12, complexity: 2_000, aliases: 30 } as const

/** Members of a list that nothing is said about. */
const DEFAULT_SIZE = 25
const MAX_SIZE = 250

/** Fragments that name fragments can be walked for ever without meeting a field. */
const MAX_STEPS = 20_000

export interface Judged {
  readonly schema: GraphQLSchema
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: Arguments
}

/** Introspection is not counted: graphql has a depth of its own for it, and the answer is always the same. */
export function overLimit(judged: Judged): GraphQLError | undefined {
  const { schema, operation } = judged
  if (aliasesIn(judged) > QUERY_LIMITS.aliases) return over('aliases', 'has too many aliases')
  const type = schema.getRootType(operation.operation)
  const sum = { complexity: 0, steps: 0 }
  return type === undefined || type === null
    ? undefined
    : walk(judged, sum, operation.selectionSet, type, { depth: 1, times: 1, size: undefined, within: [] })
}

interface Place {
  readonly depth: number
  /** How often an object in this place is there. */
  readonly times: number
  /** Asked of the page around: how many rows its list has. */
  readonly size: number | undefined
  /** Fragments being walked. */
  readonly within: readonly string[]
}

function walk(
  judged: Judged,
  sum: { complexity: number; steps: number },
  set: SelectionSetNode,
  type: GraphQLObjectType,
  place: Place,
): GraphQLError | undefined {
  if (place.depth > QUERY_LIMITS.depth) return over('depth', 'is nested too deeply')
  for (const selection of set.selections) {
    sum.steps += 1
    if (sum.steps > MAX_STEPS) return over('complexity', 'asks for too much')
    if (selection.kind !== 'Field') {
      const named = selection.kind === 'FragmentSpread' ? selection.name.value : undefined
      const inner = named === undefined ? selection : judged.fragments.get(named)
      // A fragment within itself is told by its own rule.
      if (inner === undefined || !('selectionSet' in inner)) continue
      if (named !== undefined && place.within.includes(named)) continue
      const within = named === undefined ? place.within : [...place.within, named]
      const found = walk(judged, sum, inner.selectionSet, type, { ...place, within })
      if (found !== undefined) return found
      continue
    }
    const field = type.getFields()[selection.name.value]
    if (field === undefined) continue
    const found = walkField(judged, sum, selection, field, place)
    if (found !== undefined) return found
  }
  return undefined
}

function walkField(
  judged: Judged,
  sum: { complexity: number; steps: number },
  node: FieldNode,
  field: GraphQLField<unknown, unknown>,
  place: Place,
): GraphQLError | undefined {
  const target = getNamedType(field.type)
  const isList = isListType(getNullableType(field.type))
  const sized = field.args.some(({ name }) => name === 'first')
  const size = sized ? sizeOf(node, field.args, judged.variables) : place.size
  const times = isLeafType(target) ? 1 : place.times * (isList ? (size ?? DEFAULT_SIZE) : 1)
  sum.complexity += times
  if (sum.complexity > QUERY_LIMITS.complexity) return over('complexity', 'asks for too much')
  if (!isObjectType(target) || node.selectionSet === undefined) return undefined
  return walk(judged, sum, node.selectionSet, target, {
    depth: place.depth + 1,
    times,
    // The page hands its size on to its rows; a list has used it up.
    size: isList ? undefined : size,
    within: place.within,
  })
}

/** `first` or `last`, written down or in a variable. */
function sizeOf(node: FieldNode, args: readonly GraphQLArgument[], variables: Arguments): number {
  const asked = (node.arguments ?? [])
    .filter(({ name }) => (name.value === 'first' || name.value === 'last') && args.length > 0)
    .map(({ value }) => valueFromASTUntyped(value, variables))
    .filter((value) => typeof value === 'number')
  return asked.length === 0 ? DEFAULT_SIZE : Math.min(MAX_SIZE, Math.max(1, ...asked))
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
