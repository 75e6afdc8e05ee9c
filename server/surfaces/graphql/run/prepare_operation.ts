// Prepares the text of a request: parses it, checks the limits and validates it, or remembers it, because clients
// send the same few documents. HTTP and the stream share this code.
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getIntrospectionQuery,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  validate,
} from 'graphql'
import { kept, lru } from '../../../kernel/lru.ts'
import { beyond, GRAPHQL_LIMITS, judgeVariables, overVariables, parseBounded } from '../limits/limits.ts'
import { COUNTED, type Measured, measureOperation } from '../limits/measure_operation.ts'
import type { Arguments } from '../schema/decorate.ts'

/** The most documents in the cache. Longer ones are not cached, because they are usually unique. */
const MOST = 500
const LONGEST = 10_000

/** The most errors reported for one document. Each may require a comparison with every name of the schema. */
const MOST_ERRORS = 25

const documents = lru<string, DocumentNode>(MOST)
const valid = new WeakMap<DocumentNode, GraphQLSchema>()

/** Caches only documents that parse. @throws GraphQLError for a syntax error, or for the ceiling that the text exceeds */
export function parseDocument(text: string): DocumentNode {
  return text.length > LONGEST ? parseBounded(text) : kept(documents, text, parseBounded)
}

/** Returns the errors that do not depend on variables; empty when there are none. */
export function validateDocument(schema: GraphQLSchema, document: DocumentNode, maxErrors: number) {
  if (valid.get(document) === schema) return []
  const errors = validate(schema, document, undefined, { maxErrors: Math.min(maxErrors, MOST_ERRORS) })
  if (errors.length === 0) valid.set(document, schema)
  return errors
}

export interface AskedOperation {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Arguments
}

export type ParsedOperation = AskedOperation & Measured

/** @throws GraphQLError as `parseDocument`, or when the named operation does not exist */
export function parseOperation(asked: AskedOperation): ParsedOperation {
  const document = parseDocument(asked.query)
  const operation = getOperationAST(document, asked.operationName)
  if (operation === null || operation === undefined)
    throw new GraphQLError('the document has no such operation, or more than one and no name says which')
  return { ...asked, document, operation, fragments: kept(fragmentsIn, document, fragmentsOf) }
}

type Fragments = ParsedOperation['fragments']

const fragmentsIn = new WeakMap<DocumentNode, Fragments>()

const fragmentsOf = ({ definitions }: DocumentNode): Fragments =>
  new Map(
    definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  )

/** Operations without variables that may run. Their limits depend on nothing else, so they are judged once. */
const judged = new WeakMap<OperationDefinitionNode, GraphQLSchema>()

/**
 * Returns the errors of the operation, up to a maximum; empty when it may run. Limits are checked first, because they
 * bound the cost of validation.
 */
export function judgeOperation(schema: GraphQLSchema, parsed: ParsedOperation, most: number) {
  const { operation, variables } = parsed
  const tooMany = overVariables(variables)
  if (tooMany === undefined && judged.get(operation) === schema) return []
  const over = tooMany ?? overLimit(schema, parsed)
  if (over !== undefined) return [over]
  const wrong = validateDocument(schema, parsed.document, most)
  if (wrong.length > 0) return wrong
  if ((operation.variableDefinitions ?? []).length > 0) return judgeVariables(schema, parsed, most)
  judged.set(operation, schema)
  return []
}

/** Returns the first ceiling that the operation or its document exceeds as an error. */
function overLimit(schema: GraphQLSchema, parsed: ParsedOperation): GraphQLError | undefined {
  const tally = measureOperation(schema, parsed, valid.get(parsed.document) === schema)
  for (const limit of COUNTED) {
    const maximum =
      limit === 'introspection'
        ? kept(introspections, schema, mostIntrospection)
        : GRAPHQL_LIMITS[limit].maximum
    if (tally[limit] > maximum) return beyond(limit, maximum)
  }
  return undefined
}

const introspections = new WeakMap<GraphQLSchema, number>()

function mostIntrospection(schema: GraphQLSchema): number {
  const query = getIntrospectionQuery(EVERYTHING)
  const whole = parseOperation({ query, operationName: undefined, variables: {} })
  return GRAPHQL_LIMITS.introspection.maximum * measureOperation(schema, whole, true).introspection
}

const EVERYTHING = {
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
} as const
