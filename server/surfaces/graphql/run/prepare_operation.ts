// Prepares the text of a request: parses it, checks the limits and validates it. HTTP and the stream share this code.
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'
import { overVariables } from '../limits/document_limits.ts'
import { judgeVariables } from '../limits/judge_variables.ts'
import { overLimit } from '../limits/query_limits.ts'
import type { Arguments } from '../schema/decorate.ts'
import { parseDocument, validateDocument } from './document_memory.ts'

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
