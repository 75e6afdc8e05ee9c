// What a document may hold whatever it asks for; looked at before it is validated, because it bounds what that costs.
import {
  BREAK,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  type SelectionSetNode,
  visit,
} from 'graphql'
import { refusedAt } from './tell_errors.ts'

export const DOCUMENT_LIMITS = {
  /** What costs most is nested brackets: some 2,000 of them overflow the parser. */
  tokens: 1_200,
  /** Values in all variables together, each list and object and what is in it: reading them takes time of its own. */
  values: 2_500,
  /** Characters of one name: an unknown one is compared with every known one, and told. */
  name: 200,
  /** Pairs of fields under the same name in the same place: validation compares each with each. 100 times the same. */
  repeats: 5_000,
} as const

/** Fragments that name fragments can be walked for ever without meeting a field. */
const MAX_STEPS = 20_000

/** What is too much in it; undefined when it may be validated. */
export function overDocument(document: DocumentNode): GraphQLError | undefined {
  if (longestName(document) > DOCUMENT_LIMITS.name) return overIn('name', 'has too long a name')
  return repeatsIn(document) > DOCUMENT_LIMITS.repeats
    ? overIn('repeats', 'repeats the same fields too often')
    : undefined
}

export const overIn = (limit: keyof typeof DOCUMENT_LIMITS, detail: string): GraphQLError =>
  refusedAt('query_too_expensive', `the document ${detail}`, { limit, maximum: DOCUMENT_LIMITS[limit] })

function longestName(document: DocumentNode): number {
  let longest = 0
  const look = ({ value }: { readonly value: string }): typeof BREAK | undefined => {
    longest = Math.max(longest, value.length)
    return longest > DOCUMENT_LIMITS.name ? BREAK : undefined
  }
  visit(document, { Name: look, EnumValue: look })
  return longest
}

/** A place in the answer: what all selections that lead there select together. */
interface Place {
  times: number
  readonly within: Map<string, Place>
}

const newPlace = (): Place => ({ times: 0, within: new Map() })

/** Infinite when it cannot be counted in bounded time. Fragments count where they are used and once by themselves. */
function repeatsIn({ definitions }: DocumentNode): number {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const one of definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one)
  let repeats = 0
  let steps = 0
  const walk = (set: SelectionSetNode, place: Place, within: readonly string[]): void => {
    for (const selection of set.selections) {
      steps += 1
      if (steps > MAX_STEPS) repeats = Number.POSITIVE_INFINITY
      if (repeats > DOCUMENT_LIMITS.repeats) return
      if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, place, within)
      else if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const name = selection.name.value
        const fragment = fragments.get(name)
        // A fragment within itself is told by its own rule.
        if (fragment !== undefined && !within.includes(name))
          walk(fragment.selectionSet, place, [...within, name])
      } else {
        const key = (selection.alias ?? selection.name).value
        const found = place.within.get(key) ?? newPlace()
        place.within.set(key, found)
        repeats += found.times
        found.times += 1
        if (selection.selectionSet !== undefined) walk(selection.selectionSet, found, within)
      }
    }
  }
  for (const one of definitions) if ('selectionSet' in one) walk(one.selectionSet, newPlace(), [])
  return repeats
}

/** What is too much in the variables; undefined when they may be read. */
export const overVariables = (variables: unknown): GraphQLError | undefined =>
  valuesIn(variables) > DOCUMENT_LIMITS.values
    ? overIn('values', 'has too many values in its variables')
    : undefined

/** Counts no further than it matters. */
function valuesIn(root: unknown): number {
  const stack = [root]
  let count = 0
  for (let one = stack.pop(); one !== undefined && count <= DOCUMENT_LIMITS.values; one = stack.pop()) {
    count += 1
    if (typeof one !== 'object' || one === null) continue
    const room = DOCUMENT_LIMITS.values + 1 - count
    const inside: unknown[] = Array.isArray(one) ? one.slice(0, room) : someValues(one, room)
    for (const value of inside) stack.push(value ?? null)
  }
  return count
}

function someValues(object: object, most: number): unknown[] {
  const values: unknown[] = []
  for (const name in object) {
    if (values.length >= most) break
    values.push(Reflect.get(object, name))
  }
  return values
}
