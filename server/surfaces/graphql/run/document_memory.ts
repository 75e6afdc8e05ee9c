// Caches parsed and validated documents, because clients send the same few documents repeatedly.
import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql'
import { isNestedDeeper } from '../limits/bracket_depth.ts'
import { DOCUMENT_LIMITS, hasManyFragments, overDocument, overIn } from '../limits/document_limits.ts'

/**
 * The cache drops the least recently used document first. Longer documents are not cached,
 * because they are usually unique.
 */
const MOST = 500
const LONGEST = 10_000

/** The most errors reported for one document. Each may require a comparison with every name of the schema. */
const MOST_ERRORS = 25

const documents = new Map<string, DocumentNode>()
const valid = new WeakMap<DocumentNode, GraphQLSchema>()

/** Caches only documents that parse. @throws GraphQLError for a syntax error */
export function parseDocument(text: string): DocumentNode {
  const known = documents.get(text)
  const document = known ?? parseBounded(text)
  if (text.length > LONGEST) return document
  // A Map keeps insertion order, so inserting the entry again makes it the newest.
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

/** The parser's message is the only way to recognize this error. */
const TOO_LONG = /^Syntax Error: Document contains more tha[nt] \d+ tokens/

/** Returns the errors that do not depend on variables; empty when there are none. */
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
