// Estimates the cost of an introspection query in fields of its answer.
import {
  __Schema,
  __Type,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getIntrospectionQuery,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql'
import { rootFields } from './root_fields.ts'

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>

const ROOTS: ReadonlyMap<string, GraphQLObjectType> = new Map([
  ['__schema', __Schema],
  ['__type', __Type],
])

/** Returns the object type behind `__schema` or `__type` of the query root; undefined for any other field. */
export const introspected = ({ name }: FieldNode): GraphQLObjectType | undefined => ROOTS.get(name.value)

/**
 * Estimates the fields of the answer from the average sizes of the schema's lists. Infinite when
 * counting takes too many steps.
 */
export function introspectionCost(schema: GraphQLSchema, node: FieldNode, fragments: Fragments): number {
  const sizes = sizesOf(schema)
  let cost = 1
  let steps = 0
  const walk = (set: SelectionSetNode, type: GraphQLObjectType, times: number, within: readonly string[]) => {
    for (const selection of set.selections) {
      steps += 1
      if (steps > MAX_STEPS) cost = Number.POSITIVE_INFINITY
      if (cost === Number.POSITIVE_INFINITY) return
      if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, type, times, within)
      else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const name = selection.name.value
        const fragment = within.includes(name) ? undefined : fragments.get(name)
        if (fragment !== undefined) walk(fragment.selectionSet, type, times, [...within, name])
      } else {
        const field = type.getFields()[selection.name.value]
        if (field === undefined) continue
        const there = times * (sizes.get(field.name) ?? 1)
        const target = getNamedType(field.type)
        cost += there
        if (selection.selectionSet !== undefined && isObjectType(target))
          walk(selection.selectionSet, target, there, within)
      }
    }
  }
  const type = introspected(node)
  if (type !== undefined && node.selectionSet !== undefined) walk(node.selectionSet, type, 1, [])
  return cost
}

const MAX_STEPS = 20_000

/** The ceiling: two complete introspection queries. It grows with the schema. */
export function mostIntrospection(schema: GraphQLSchema): number {
  const known = most.get(schema)
  if (known !== undefined) return known
  const document = parse(getIntrospectionQuery(EVERYTHING))
  const fragments: Map<string, FragmentDefinitionNode> = new Map()
  for (const one of document.definitions)
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one)
  let cost = 0
  for (const operation of document.definitions)
    if (operation.kind === Kind.OPERATION_DEFINITION)
      for (const node of rootFields({ operation, fragments }))
        cost += introspectionCost(schema, node, fragments)
  most.set(schema, 2 * cost)
  return 2 * cost
}

const most = new WeakMap<GraphQLSchema, number>()

const EVERYTHING = {
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
} as const

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
  const each = (count: number, among: number): number => Math.max(1, count / Math.max(1, among))
  return new Map([
    ['types', types.length],
    ['ofType', 0.25],
    ['directives', schema.getDirectives().length],
    ['fields', each(fields.length, types.length)],
    ['inputFields', each(inputs.length, types.length)],
    ['enumValues', each(values.length, types.length)],
    [
      'args',
      each(
        fields.reduce((sum, { args }) => sum + args.length, 0),
        fields.length,
      ),
    ],
  ])
}
