// Ceilings on a document: how deep its text nests, before it is parsed, and the others before validation, because
// they bound what validation costs.
import { BREAK, type DocumentNode, type GraphQLError, visit } from 'graphql'
import { refusedAt } from '../schema/tell_errors.ts'
import { expandDocument } from './expand_document.ts'

/** Ignores brackets in strings, block strings and comments. The parser reports an unclosed one. */
export function isNestedDeeper(text: string, most: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1)
    switch (text.charCodeAt(at)) {
      case HASH:
        at = lineEnd(text, at)
        break
      case QUOTE:
        at = text.startsWith(BLOCK, at) ? blockEnd(text, at + BLOCK.length) : stringEnd(text, at + 1)
        break
      case OPENING.brace:
      case OPENING.bracket:
      case OPENING.paren:
        depth += 1
        if (depth > most) return true
        break
      case CLOSING.brace:
      case CLOSING.bracket:
      case CLOSING.paren:
        depth -= 1
        break
    }
  return false
}

const HASH = 0x23
const QUOTE = 0x22
const BACKSLASH = 0x5c
const BLOCK = '"""'
const OPENING = { brace: 0x7b, bracket: 0x5b, paren: 0x28 } as const
const CLOSING = { brace: 0x7d, bracket: 0x5d, paren: 0x29 } as const

const isLineEnd = (code: number): boolean => code === 0x0a || code === 0x0d

/** Returns the position of the character that ends the line. The next two do the same for a string and a block string. */
function lineEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && !isLineEnd(text.charCodeAt(at))) at += 1
  return at
}

/** Stops at the end of the line when the string is unclosed. The parser reports it and reads no further. */
function stringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE || isLineEnd(code)) return at
    if (code === BACKSLASH) at += 1
  }
  return text.length
}

function blockEnd(text: string, from: number): number {
  let at = text.indexOf(BLOCK, from)
  while (at !== -1 && text.charCodeAt(at - 1) === BACKSLASH) at = text.indexOf(BLOCK, at + BLOCK.length)
  return at === -1 ? text.length : at + BLOCK.length - 1
}

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
