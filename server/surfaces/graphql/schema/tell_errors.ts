// Converts errors to entries of `errors`: the codes of JSON:API, the place, and an id that the log contains too.
import { GraphQLError } from 'graphql'
import type { Log } from '../../../kernel/log.ts'
import { present } from '../../../kernel/present.ts'
import { type RefusalCode, refuse } from '../../../kernel/refusal.ts'
import { type AnsweredProblem, problemsOf } from '../../http/error_document.ts'
import { fieldsOf } from './names.ts'

/**
 * Returns one entry per problem, at most `most`. An error of GraphQL itself becomes invalid_argument; errors from
 * operations keep their codes.
 */
export const tellErrors = (errors: readonly unknown[], log: Log, most: number): GraphQLError[] =>
  errors
    .values()
    .flatMap((error) => tellError(error, log))
    .take(most)
    .toArray()

function tellError(error: unknown, log: Log): readonly GraphQLError[] {
  if (isAnswered(error)) return [error]
  const located = error instanceof GraphQLError ? error : undefined
  const thrown = error instanceof GraphQLError ? error.originalError : error
  const cause =
    located !== undefined && (thrown === undefined || thrown === null || thrown instanceof GraphQLError)
      ? refuse('invalid_argument', { detail: withoutValues(located.message) })
      : thrown
  return problemsOf(cause, log).map((one) => graphqlError(one, located))
}

/** A longer message contains values from the request. Extracting the rule from it would cost too much. */
const LONGEST_MESSAGE = 1_000

/** Removes values from a message of GraphQL, because they may contain a secret. The place and the rule remain. */
const withoutValues = (message: string): string =>
  message.length > LONGEST_MESSAGE ? 'is not valid, and too long to say why' : ruleOf(message)

const ruleOf = (message: string): string =>
  message
    .replace(/ got invalid value [\s\S]*?( at "[^"\s]+")?; (?=[^;]*$)/, ' is invalid$1; ')
    .replace(/( cannot represent [^:]*): [\s\S]*$/, '$1')
    .replace(/Value "[\s\S]*" does not exist/, 'The value does not exist')

/** A refusal at a place of the document, for rules that check documents. */
export const refusedAt = (
  code: RefusalCode,
  detail: string,
  meta: Readonly<Record<string, unknown>> = {},
): GraphQLError => new GraphQLError(detail, { originalError: refuse(code, { detail, meta }) })

function graphqlError(problem: AnsweredProblem, located?: GraphQLError): GraphQLError {
  const { code, id, meta } = problem
  const { nodes, source, positions, path } = located ?? {}
  const extensions = { code, fields: fieldsOf(problem), id, ...present({ meta }) }
  return new GraphQLError(problem.detail, { nodes: nodes ?? null, source, positions, path, extensions })
}

/** The whole body of a request that was not executed. */
export const graphqlErrors = (problems: readonly AnsweredProblem[]) => ({
  errors: problems.map((one) => graphqlError(one).toJSON()),
})

const isAnswered = (error: unknown): error is GraphQLError =>
  error instanceof GraphQLError && typeof error.extensions.id === 'string'
