// What one operation may ask for: how deep, how much, under how many names. Looked at before anything runs.
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
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import { scale } from './argument_weight.ts'
import type { Arguments } from './decorate.ts'
import { introspected, introspectionCost, mostIntrospection } from './introspection_cost.ts'
import { isList, isSized } from './root_fields.ts'
import { refusedAt } from './tell_errors.ts'

/**
 * Complexity is what has to be fetched and shown: 1 for every field, and an object counts as often as the lists it
 * stands in have members, by the size that is asked for, or else by default. A row's own values come with the row, so
 * they count once: 250 rows with all their fields are one honest page. Every KiB of arguments counts 1 wherever it is
 * used: what was sent once may be stored or hashed many times.
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

/** @param judged its variables as they were given */
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

/** A variable that is left out stands for its default; one that is null for null. */
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
  /** Fields of what is asked of the schema about itself: see `introspection_cost.ts`. */
  introspection: number
  steps: number
  readonly weigh: (node: FieldNode) => number
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
      // A fragment within itself is told by its own rule.
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

/** Other fields that nobody knows are told by their own rule. */
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
    // The page hands its size on to its rows; a list has used it up.
    size: isMany ? undefined : size,
    within: place.within,
  })
}

const KIB = 1_024

/** `first` or `last`, written down or in a variable. */
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
