// What is wrong with a query or its variables, before anything is sent, and where.
import { GraphQLError, type GraphQLSchema, parse, validate } from 'graphql'
import { isJsonObject } from '../data/json_object.ts'
import { tokensOf } from './token.ts'

export type Problem = {
  readonly message: string
  readonly from: number
  readonly to: number
  /** Both from 1, as people count. */
  readonly line: number
  readonly column: number
}

const MOST_PROBLEMS = 20

/** Without a schema (still loading, or not to be had) only the grammar is checked. An empty text is not wrong, just empty. */
export const queryProblems = (text: string, schema: GraphQLSchema | null): Problem[] => {
  if (text.replaceAll(/#[^\n]*/g, '').trim() === '') return []
  try {
    const document = parse(text)
    if (schema === null) return []
    return validate(schema, document, undefined, { maxErrors: MOST_PROBLEMS }).flatMap((error) =>
      problemsAt(text, error),
    )
  } catch (error) {
    if (error instanceof GraphQLError) return problemsAt(text, error)
    throw error
  }
}

export const variablesProblem = (text: string): string | null => {
  if (text.trim() === '') return null
  try {
    return isJsonObject(JSON.parse(text)) ? null : 'Variables are one JSON object.'
  } catch (error) {
    return error instanceof Error ? `Not JSON yet: ${error.message}` : 'Not JSON.'
  }
}

/** Marks the word the error points at: a node may span the whole query, and all of it in red says nothing. */
const problemsAt = (text: string, error: GraphQLError): Problem[] => {
  const from = Math.min(error.positions?.[0] ?? 0, text.length)
  const token = tokensOf(text, 'graphql').find((one) => one.from <= from && from < one.to)
  // At the end of the text there is no word; the last character stands in for it.
  const end = from >= text.trimEnd().length
  const start = end ? Math.max(0, text.trimEnd().length - 1) : from
  const before = text.slice(0, from).split('\n')
  return [
    {
      message: error.message,
      from: start,
      to: end ? start + 1 : (token?.to ?? from + 1),
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
    },
  ]
}
