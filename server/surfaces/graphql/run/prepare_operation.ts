// Prepares the text of a request: parses it, checks the limits and validates it, or remembers it, because clients
// send the same few documents. HTTP and the stream share this code.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
} from 'graphql'
import { lru } from '../../../kernel/lru.ts'
import {
  DOCUMENT_LIMITS,
  hasManyFragments,
  isNestedDeeper,
  overDocument,
  overIn,
  overVariables,
} from '../limits/document_limits.ts'
import { judgeVariables } from '../limits/judge_variables.ts'
import { overLimit } from '../limits/query_limits.ts'
import type { Arguments } from '../schema/decorate.ts'

/** The most documents in the cache. Longer ones are not cached, because they are usually unique. */
const MOST = 500
const LONGEST = 10_000

/** The most errors reported for one document. Each may require a comparison with every name of the schema. */
const MOST_ERRORS = 25

const documents = lru<string, DocumentNode>(MOST)
const valid = new WeakMap<DocumentNode, GraphQLSchema>()

/** Caches only documents that parse. @throws GraphQLError for a syntax error */
export function parseDocument(text: string): DocumentNode {
  if (text.length > LONGEST) return parseBounded(text)
  const known = documents.get(text)
  if (known !== undefined) return known
  const document = parseBounded(text)
  documents.set(text, document)
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

export interface AskedOperation {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Arguments
}

export interface ParsedOperation extends AskedOperation {
  readonly document: DocumentNode
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
}

/** @throws GraphQLError for a syntax error, or when the named operation does not exist */
export function parseOperation(asked: AskedOperation): ParsedOperation {
  const document = parseDocument(asked.query)
  const operation = getOperationAST(document, asked.operationName)
  if (operation === null || operation === undefined)
    throw new GraphQLError('the document has no such operation, or more than one and no name says which')
  return { ...asked, document, operation, fragments: fragmentsOf(document) }
}

type Fragments = ParsedOperation['fragments']

const fragmentsIn = new WeakMap<DocumentNode, Fragments>()

function fragmentsOf(document: DocumentNode): Fragments {
  const known = fragmentsIn.get(document)
  if (known !== undefined) return known
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  )
  fragmentsIn.set(document, fragments)
  return fragments
}

/** Operations without variables that may run. Their limits depend on nothing else, so they are judged once. */
const judged = new WeakMap<OperationDefinitionNode, GraphQLSchema>()

/**
 * Returns the errors of the operation, up to a maximum; empty when it may run. Limits are checked first, because they
 * bound the cost of validation.
 */
export function judgeOperation(
  schema: GraphQLSchema,
  parsed: ParsedOperation,
  most: number,
): readonly GraphQLError[] {
  const { operation, variables } = parsed
  const tooMany = overVariables(variables)
  if (tooMany === undefined && judged.get(operation) === schema) return []
  const over = tooMany ?? overLimit({ schema, ...parsed })
  if (over !== undefined) return [over]
  const wrong = validateDocument(schema, parsed.document, most)
  if (wrong.length > 0) return wrong
  if ((operation.variableDefinitions ?? []).length > 0) return judgeVariables(schema, parsed, most)
  judged.set(operation, schema)
  return []
}
