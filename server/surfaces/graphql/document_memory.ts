// Clients send the same few documents again and again: each is parsed and validated once while it is remembered.
import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql'
import { isNestedDeeper } from './bracket_depth.ts'
import { DOCUMENT_LIMITS, hasManyFragments, overDocument, overIn } from './document_limits.ts'

/** The least recently used is forgotten first; a document longer than this is made up for one request. */
const MOST = 500
const LONGEST = 10_000

/** Mistakes told of one document: each may be compared with every name of the schema. */
const MOST_ERRORS = 25

const documents = new Map<string, DocumentNode>()
const valid = new WeakMap<DocumentNode, GraphQLSchema>()

/** @throws GraphQLError when it does not parse; what does not is not remembered */
export function parseDocument(text: string): DocumentNode {
  const known = documents.get(text)
  const document = known ?? parseBounded(text)
  if (text.length > LONGEST) return document
  // A Map keeps the order of insertion: what is inserted anew is the youngest.
  documents.delete(text)
  documents.set(text, document)
  const oldest = documents.size > MOST ? documents.keys().next().value : undefined
  if (oldest !== undefined) documents.delete(oldest)
  return document
}

function parseBounded(text: string): DocumentNode {
  if (isNestedDeeper(text, DOCUMENT_LIMITS.nesting)) throw overIn('nesting', 'is nested too deeply')
  const document = parseWithin(text)
  if (hasManyFragments(document)) throw overIn('fragments', 'has too many different fragments')
  return document
}

function parseWithin(text: string): DocumentNode {
  try {
    return parse(text, { maxTokens: DOCUMENT_LIMITS.tokens })
  } catch (error) {
    throw error instanceof GraphQLError && TOO_LONG.test(error.message)
      ? overIn('tokens', 'is too long')
      : error
  }
}

/** The parser has no other word for it. */
const TOO_LONG = /^Syntax Error: Document contains more tha[nt] \d+ tokens/

/** What is wrong with it whatever its variables; empty when nothing is. */
export function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  maxErrors: number,
): readonly GraphQLError[] {
  if (valid.get(document) === schema) return []
  const over = overDocument(document)
  const errors =
    over === undefined
      ? validate(schema, document, undefined, { maxErrors: Math.min(maxErrors, MOST_ERRORS) })
      : [over]
  if (errors.length === 0) valid.set(document, schema)
  return errors
}
