// Runs a valid operation and writes its data as JSON.
import { execute, type GraphQLError, type GraphQLSchema } from 'graphql'
import { extended } from '../../../catalog/open_context.ts'
import type { Ceilings } from '../../../kernel/ceilings.ts'
import type { Breathe } from '../../../kernel/flow/in_pieces.ts'
import type { JsonParts } from '../../../kernel/json_parts.ts'
import { answerParts, answerPieces } from './answer_parts.ts'
import { plainOperation } from './plain_operation.ts'
import { Irregular } from './plain_selection.ts'
import type { ParsedOperation } from './prepare_operation.ts'

/** What this file needs of the context of resolvers. */
export interface Running {
  readonly breathe: Breathe
  readonly services: { readonly ceilings: Pick<Ceilings, 'response_bytes'> }
}

export interface Ran {
  /** Undefined when nothing was executed, because a variable is wrong. */
  readonly data: JsonParts | 'too large' | undefined
  readonly errors?: readonly GraphQLError[] | undefined
}

/** One answer of each remembered document, see `document_memory.ts`, so 8 MiB in all. */
const MOST_KEPT_BYTES = 16_384

export async function runOperation(
  schema: GraphQLSchema,
  parsed: ParsedOperation,
  context: Running,
): Promise<Ran> {
  const plain = plainOperation(schema, parsed)
  const resolve = plain?.resolverFor(parsed.variables)
  if (plain === undefined || resolve === undefined) return runAny(schema, parsed, context)
  let value: unknown
  try {
    value = await resolve(context)
  } catch (error) {
    return runAny(schema, parsed, extended(context, { settled: () => Promise.reject(error) }))
  }
  if (plain.last !== undefined && plain.last.value === value) return { data: plain.last.data }
  try {
    const { services, breathe } = context
    const data = await answerPieces(plain.key, plain.pieces(value), services.ceilings.response_bytes, breathe)
    if (data !== undefined && data.bytes <= MOST_KEPT_BYTES && Object.isFrozen(value))
      plain.last = { value, data }
    return { data: data ?? 'too large' }
  } catch (error) {
    if (!(error instanceof Irregular)) throw error
    return runAny(schema, parsed, extended(context, { settled: () => value }))
  }
}

async function runAny(
  schema: GraphQLSchema,
  { document, operationName, variables }: ParsedOperation,
  contextValue: Running,
): Promise<Ran> {
  const { data, errors } = await execute({
    schema,
    document,
    operationName,
    variableValues: variables,
    contextValue,
  })
  if (data === undefined) return { data, errors }
  const { services, breathe } = contextValue
  return { data: (await answerParts(data, services.ceilings.response_bytes, breathe)) ?? 'too large', errors }
}
