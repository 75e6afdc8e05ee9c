// The GraphQL scalars of the kinds, and the values that clients may send for them. Each JSON text of a request is
// parsed once, for weighing and for use.
import { GraphQLError, GraphQLScalarType } from 'graphql'
import { ID, Int } from 'type-graphql'
import { canonicalJson, type JsonValue } from '../../../../shared/proof/json_value.ts'
import type { GraphqlScalar } from '../../../contract/kind.ts'
import { JsonText } from '../../../kernel/json_text.ts'
import { kept } from '../../../kernel/lru.ts'
import { readRequestJson } from '../../http/read_body.ts'

/** Uses the strict reader, so that the hash covers exactly what was sent. @throws StrictJsonError */
export type ReadText = (text: string) => JsonValue

/** Create one per request. Two arguments with the same text share one value, so no code may change it. */
export function readEachOnce(read: ReadText = readRequestJson): ReadText {
  const known = new Map<string, JsonValue>()
  return (text) => kept(known, text, read)
}

/** Both scalars are text. The operation checks the content, so that a mistake has its own code and place. */
const text =
  (name: string) =>
  (value: unknown): string => {
    if (typeof value === 'string') return value
    throw new GraphQLError(`${name} is written as a string`)
  }

/** Published times are already ISO 8601 text. */
const DateTime = new GraphQLScalarType<string, string>({
  name: 'DateTime',
  description: 'ISO 8601 in UTC with milliseconds, e.g. 2026-11-20T18:00:00.123Z',
  parseValue: text('DateTime'),
})

/** Objects and lists are written as canonical JSON, so an item's claims appear exactly as they were hashed. */
const JsonString = new GraphQLScalarType<string, string>({
  name: 'JsonString',
  description: 'A JSON value as its text',
  parseValue: text('JsonString'),
  serialize: (value) =>
    typeof value === 'string'
      ? value
      : value instanceof JsonText
        ? value.text
        : canonicalJson(value as JsonValue),
})

export const SCALARS = {
  ID,
  String,
  Int,
  Boolean,
  DateTime,
  JsonString,
} as const satisfies Readonly<Record<GraphqlScalar, object>>
