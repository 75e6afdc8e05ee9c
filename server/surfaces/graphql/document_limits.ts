// What a document may hold whatever it asks for; looked at before it is validated, because it bounds what that costs.
import { BREAK, type DocumentNode, type GraphQLError, visit } from 'graphql'
import { expandDocument } from './expand_document.ts'
import { refusedAt } from './tell_errors.ts'

export const DOCUMENT_LIMITS = {
  /** Several times what generated clients send: their documents name every field of every part of a page. */
  tokens: 10_000,
  /** Brackets within brackets, and what fragments lead to: some 2,000 of them overflow the parser, or validation. */
  nesting: 200,
  /** Different ones, known or not: validation compares each with each. */
  fragments: 250,
  /** Values in all variables together, each list and object and what is in it: reading them takes time of its own. */
  values: 2_500,
  /** Characters of one name: an unknown one is compared with every known one, and told. */
  name: 200,
  /**
   * Pairs of fields under the same name in the same place, and the values in their arguments: validation compares each
   * with each. 140 times the same.
   */
  repeats: 10_000,
} as const

/** What is too much in it; undefined when it may be validated. */
export function overDocument(document: DocumentNode): GraphQLError | undefined {
  if (longestName(document) > DOCUMENT_LIMITS.name) return overIn('name', 'has too long a name')
  const { repeats, isDeep } = expandDocument(document, DOCUMENT_LIMITS)
  if (isDeep) return overIn('nesting', 'is nested too deeply')
  return repeats > DOCUMENT_LIMITS.repeats
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

/** Looked at before anything follows them. */
export const hasManyFragments = (document: DocumentNode): boolean =>
  fragmentsIn(document) > DOCUMENT_LIMITS.fragments

function fragmentsIn(document: DocumentNode): number {
  const names = new Set<string>()
  const look = ({ name }: { readonly name: { readonly value: string } }): typeof BREAK | undefined => {
    names.add(name.value)
    return names.size > DOCUMENT_LIMITS.fragments ? BREAK : undefined
  }
  visit(document, { FragmentDefinition: look, FragmentSpread: look })
  return names.size
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
