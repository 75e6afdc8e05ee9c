// Ceilings on a document, checked before validation, because they bound what validation costs.
import { BREAK, type DocumentNode, type GraphQLError, visit } from 'graphql'
import { refusedAt } from '../schema/tell_errors.ts'
import { expandDocument } from './expand_document.ts'

export const DOCUMENT_LIMITS = {
  /** Several times the size of documents from client generators, which name every field of every part of a page. */
  tokens: 10_000,
  /** Depth of brackets, including fragments. About 2,000 would overflow the stack of the parser or of validation. */
  nesting: 200,
  /** Distinct fragments, known or unknown. Validation compares each with every other. */
  fragments: 250,
  /**
   * Values in all variables together, counting each list, each object and its members. Reading them takes time too.
   */
  values: 2_500,
  /**
   * Characters of one name. Validation compares an unknown name with every known one and repeats it in its message.
   */
  name: 200,
  /**
   * Pairs of fields with the same name in the same place, including the values in their arguments. Validation
   * compares each with every other. The ceiling allows about 140 repetitions of one field.
   */
  repeats: 10_000,
} as const

/** Returns the ceiling that the document exceeds as an error, or undefined when it may be validated. */
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

/** Counts the fragments before anything follows them. */
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

/** Returns the ceiling that the variables exceed as an error, or undefined when they may be read. */
export const overVariables = (variables: unknown): GraphQLError | undefined =>
  valuesIn(variables) > DOCUMENT_LIMITS.values
    ? overIn('values', 'has too many values in its variables')
    : undefined

/** Stops counting above the ceiling. */
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
