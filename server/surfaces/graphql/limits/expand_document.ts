// Expands the fragments of a document, to measure how deep it is and how often it repeats fields.
import {
  type ConstValueNode,
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql'

/** A place in the answer. All selections with the same path share it. */
interface Place {
  times: number
  readonly within: Map<string, Place>
}

const newPlace = (): Place => ({ times: 0, within: new Map() })

interface Expanded {
  /**
   * The number of pairs of fields in the same place, including the values in their arguments. Infinite
   * when counting takes too long.
   */
  readonly repeats: number
  readonly isDeep: boolean
}

/**
 * The most steps of a walk. Fragments that only spread other fragments can take very many steps
 * without reaching a field.
 */
const MAX_STEPS = 20_000

/**
 * Walks every definition, and every fragment again where it is used. Values count as steps, because validation checks
 * all variables for every operation that reaches a fragment. Stops when a limit is exceeded.
 */
export function expandDocument(
  { definitions }: DocumentNode,
  most: { readonly repeats: number; readonly nesting: number },
): Expanded {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const one of definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one)
  const values = new Map<SelectionNode, number>()
  const within = new Set<string>()
  let repeats = 0
  let isDeep = false
  let steps = 0
  const isOver = (): boolean => isDeep || repeats > most.repeats
  const countOf = (selection: SelectionNode): number => {
    const count = values.get(selection) ?? valuesOf(selection)
    values.set(selection, count)
    return count
  }
  const walk = (set: SelectionSetNode, place: Place, depth: number): void => {
    isDeep ||= depth > most.nesting
    for (const selection of set.selections) {
      if (isOver()) return
      const count = countOf(selection)
      steps += 1 + count
      if (steps > MAX_STEPS) repeats = Number.POSITIVE_INFINITY
      if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, place, depth + 1)
      else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const name = selection.name.value
        const fragment = fragments.get(name)
        // GraphQL's own rule reports a fragment that contains itself.
        if (fragment === undefined || within.has(name)) continue
        within.add(name)
        walk(fragment.selectionSet, place, depth + 1)
        within.delete(name)
      } else {
        const key = (selection.alias ?? selection.name).value
        const there = place.within.get(key) ?? newPlace()
        place.within.set(key, there)
        repeats += there.times * (1 + count)
        there.times += 1
        if (selection.selectionSet !== undefined) walk(selection.selectionSet, there, depth + 1)
      }
    }
  }
  for (const one of definitions) if ('selectionSet' in one && !isOver()) walk(one.selectionSet, newPlace(), 1)
  return { repeats, isDeep }
}

/** Counts the values in arguments and directives at any depth. */
function valuesOf(selection: SelectionNode): number {
  const own = selection.kind === Kind.FIELD ? valuesIn(selection) : 0
  return (selection.directives ?? []).reduce((sum, directive) => sum + 1 + valuesIn(directive), own)
}

const valuesIn = ({ arguments: given = [] }: Pick<DirectiveNode, 'arguments'>): number =>
  given.reduce((sum, { value }) => sum + sizeOf(value), 0)

function sizeOf(value: ValueNode | ConstValueNode): number {
  if (value.kind === Kind.LIST) return value.values.reduce((sum, one) => sum + sizeOf(one), 1)
  if (value.kind === Kind.OBJECT) return value.fields.reduce((sum, one) => sum + sizeOf(one.value), 1)
  return 1
}
