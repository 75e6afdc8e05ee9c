// Runs a valid operation and writes its data as JSON.
import { execute, type GraphQLError, type GraphQLSchema } from 'graphql'
import { extended } from '../../catalog/open_context.ts'
import type { JsonParts } from '../../kernel/json_parts.ts'
import { answerParts, answerPieces } from './answer_parts.ts'
import type { GraphqlContext } from './graphql_context.ts'
import { plainOperation } from './plain_operation.ts'
import { Irregular } from './plain_selection.ts'
import type { ParsedOperation } from './prepare_operation.ts'

export interface Ran {
  /** Undefined when nothing was executed, because a variable is wrong. */
  readonly data: JsonParts | 'too large' | undefined
  readonly errors?: readonly GraphQLError[] | undefined
}

export async function runOperation(
  schema: GraphQLSchema,
  parsed: ParsedOperation,
  context: GraphqlContext,
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
  try {
    const { services, breathe } = context
    const data = await answerPieces(plain.key, plain.pieces(value), services.ceilings.response_bytes, breathe)
    return { data: data ?? 'too large' }
  } catch (error) {
    if (!(error instanceof Irregular)) throw error
    return runAny(schema, parsed, extended(context, { settled: () => value }))
  }
}

async function runAny(
  schema: GraphQLSchema,
  { document, operationName, variables }: ParsedOperation,
  contextValue: GraphqlContext,
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
