// Measures an operation in one walk, in which every fragment is walked again where it is used. What its document holds
// beside it does not run, but is validated, so it is walked too.
import {
  __Schema,
  __Type,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql'
import { kept } from '../../../kernel/lru.ts'
import type { Arguments } from '../schema/decorate.ts'
import { GRAPHQL_LIMITS, weighing } from './limits.ts'

/** What is counted of an operation, in the order in which it is judged. */
export const COUNTED = [
  'fragments',
  'aliases',
  'depth',
  'complexity',
  'introspection',
  'nesting',
  'repeats',
] as const

type Tally = Record<(typeof COUNTED)[number], number>

/** What runs in a place. Nothing runs in an unknown field, nor in what is only validated. */
interface Running {
  /** The type whose fields are selected. */
  readonly type: GraphQLObjectType | undefined
  /** True inside of `__schema` and `__type`, which count neither for depth nor for complexity. */
  readonly introspects: boolean
  readonly depth: number
  /** How many objects the answer has in this place. */
  readonly times: number
  /** The number of rows requested from the enclosing page. */
  readonly size: number | undefined
}

const NOTHING: Running = { type: undefined, introspects: false, depth: 0, times: 0, size: undefined }

/** A field of the answer. All selections with the same path share it. */
interface Answered {
  times: number
  readonly within: Map<string, Answered>
}

interface Place extends Running {
  /** Counts fragments too. */
  readonly nesting: number
  readonly answered: Map<string, Answered>
}

/**
 * The most steps of a walk. Fragments that only spread other fragments can take very many steps without reaching a
 * field. Values count as steps, because validation checks all variables for every operation that reaches a fragment.
 */
const MAX_STEPS = 20_000

/** The size assumed for a list without a requested size. */
const DEFAULT_SIZE = 25
const MAX_SIZE = 250
const KIB = 1_024

/** An operation to be measured. */
export interface Measured {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** As the client sent them. */
  readonly variables: Arguments
}

/**
 * @param isValid true when the document was found valid before, so its other operations need not be walked again
 * @returns infinite complexity or repeats when counting takes too long
 */
export function measureOperation(schema: GraphQLSchema, asked: Measured, isValid: boolean): Tally {
  const { document, operation, fragments } = asked
  const variables = withDefaults(operation, asked.variables)
  const weigh = weighing(variables)
  const tally = { aliases: 0, depth: 0, complexity: 0, introspection: 0, nesting: 0, repeats: 0 }
  const named = new Set(fragments.keys())
  const within = new Set<string>()
  let steps = 0
  let sizes: ReadonlyMap<string, number> | undefined

  const walk = (set: SelectionSetNode, place: Place): void => {
    tally.depth = Math.max(tally.depth, place.depth)
    tally.nesting = Math.max(tally.nesting, place.nesting)
    const nesting = place.nesting + 1
    for (const selection of set.selections) {
      if (steps > MAX_STEPS || tally.nesting > GRAPHQL_LIMITS.nesting.maximum) return
      const { values } = weigh(selection)
      steps += 1 + values
      if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, { ...place, nesting })
      else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const name = selection.name.value
        const fragment = fragments.get(name)
        named.add(name)
        // GraphQL's own rule reports a fragment that contains itself.
        if (fragment === undefined || within.has(name)) continue
        within.add(name)
        walk(fragment.selectionSet, { ...place, nesting })
        within.delete(name)
      } else {
        // Once for each time that it is written, not for each time that a fragment is used.
        if (selection.alias !== undefined && within.size === 0) tally.aliases += 1
        const key = (selection.alias ?? selection.name).value
        const answered = kept<string, Answered>(place.answered, key, () => ({ times: 0, within: new Map() }))
        tally.repeats += answered.times * (1 + values)
        answered.times += 1
        const running = run(selection, place)
        if (selection.selectionSet !== undefined)
          walk(selection.selectionSet, { ...running, nesting, answered: answered.within })
      }
    }
  }

  /** Counts a field, and returns what runs in its selection. */
  const run = (node: FieldNode, { type, introspects, depth, times, size: around }: Running): Running => {
    if (type === undefined) return NOTHING
    const field = type.getFields()[node.name.value]
    if (field === undefined) {
      // GraphQL's own rule reports other unknown fields.
      const root = INTROSPECTED.get(node.name.value)
      if (root === undefined) return NOTHING
      tally.introspection += 1
      return { ...NOTHING, type: root, introspects: true, times: 1 }
    }
    const target = getNamedType(field.type)
    if (introspects) {
      sizes ??= sizesOf(schema)
      const objects = times * (sizes.get(field.name) ?? 1)
      tally.introspection += objects
      return isObjectType(target) ? { ...NOTHING, type: target, introspects, times: objects } : NOTHING
    }
    const isMany = isList(field)
    const size = isSized(field) ? sizeOf(node, variables) : around
    const objects = isLeafType(target) ? 1 : times * (isMany ? (size ?? DEFAULT_SIZE) : 1)
    tally.complexity += objects + times * Math.floor(weigh(node).bytes / KIB)
    if (!isObjectType(target)) return NOTHING
    // A page passes its size to its rows. A list has already applied it.
    return { type: target, introspects, depth: depth + 1, times: objects, size: isMany ? undefined : size }
  }

  const beside = (kind: Kind): void => {
    for (const one of document.definitions)
      if ('selectionSet' in one && one.kind === kind && one !== operation)
        walk(one.selectionSet, { ...NOTHING, nesting: 1, answered: new Map() })
  }

  const type = schema.getRootType(operation.operation) ?? undefined
  const root = { type, introspects: false, depth: 1, times: 1, size: undefined }
  walk(operation.selectionSet, { ...root, nesting: 1, answered: new Map() })
  if (steps > MAX_STEPS) tally.complexity = Number.POSITIVE_INFINITY
  beside(Kind.FRAGMENT_DEFINITION)
  const { aliases } = tally
  if (!isValid) beside(Kind.OPERATION_DEFINITION)
  if (steps > MAX_STEPS) tally.repeats = Number.POSITIVE_INFINITY
  return { ...tally, aliases, fragments: named.size }
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

/** The value of `first` or `last`, literal or from a variable. */
function sizeOf(node: FieldNode, variables: Arguments): number {
  const asked = (node.arguments ?? [])
    .filter(({ name }) => name.value === 'first' || name.value === 'last')
    .map(({ value }) => valueFromASTUntyped(value, variables))
    .filter((value) => typeof value === 'number')
  return asked.length === 0 ? DEFAULT_SIZE : Math.min(MAX_SIZE, Math.max(1, ...asked))
}

/** True for a page, because only pages have the argument `first`. */
export const isSized = ({ args }: GraphQLField<unknown, unknown>): boolean =>
  args.some(({ name }) => name === 'first')

/** True when the field returns a list, nullable or not. */
export const isList = ({ type }: GraphQLField<unknown, unknown>): boolean => isListType(getNullableType(type))

/** The object types behind the fields of the query root that show the schema. */
const INTROSPECTED: ReadonlyMap<string, GraphQLObjectType> = new Map([
  ['__schema', __Schema],
  ['__type', __Type],
])

/**
 * How often each introspection field occurs: `types` as often as there are types, lists of a type by their average
 * length, and wrapped types rarely.
 */
function sizesOf(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const types = Object.values(schema.getTypeMap())
  const fields = types.flatMap((type) =>
    isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
  )
  const inputs = types.flatMap((type) => (isInputObjectType(type) ? Object.values(type.getFields()) : []))
  const values = types.flatMap((type) => (isEnumType(type) ? type.getValues() : []))
  const args = fields.reduce((sum, field) => sum + field.args.length, 0)
  const each = (count: number, among: number): number => Math.max(1, count / Math.max(1, among))
  return new Map([
    ['types', types.length],
    ['ofType', 0.25],
    ['directives', schema.getDirectives().length],
    ['fields', each(fields.length, types.length)],
    ['inputFields', each(inputs.length, types.length)],
    ['enumValues', each(values.length, types.length)],
    ['args', each(args, fields.length)],
  ])
}
