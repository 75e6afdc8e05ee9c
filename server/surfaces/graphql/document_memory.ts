// Clients send the same few documents again and again: each is parsed and validated once while it is remembered.
import { type DocumentNode, type GraphQLError, type GraphQLSchema, parse, validate } from 'graphql'

/** The least recently used is forgotten first; a document longer than this is made up for one request. */
const MOST = 500
const LONGEST = 10_000

/** Ends a document that would cost more to parse and validate than any honest one; some 2,000 nested brackets overflow the parser. */
const MAX_TOKENS = 1_200

const documents = new Map<string, DocumentNode>()
const valid = new WeakMap<DocumentNode, GraphQLSchema>()

/** @throws GraphQLError when it does not parse; what does not is not remembered */
export function parseDocument(text: string): DocumentNode {
  const known = documents.get(text)
  const document = known ?? parse(text, { maxTokens: MAX_TOKENS })
  if (text.length > LONGEST) return document
  // A Map keeps the order of insertion: what is inserted anew is the youngest.
  documents.delete(text)
  documents.set(text, document)
  const oldest = documents.size > MOST ? documents.keys().next().value : undefined
  if (oldest !== undefined) documents.delete(oldest)
  return document
}

/** What is wrong with it whatever its variables; empty when nothing is. */
export function validateDocument(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  if (valid.get(document) === schema) return []
  const errors = validate(schema, document)
  if (errors.length === 0) valid.set(document, schema)
  return errors
}
