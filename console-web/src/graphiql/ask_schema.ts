// The GraphQL schema, requested from the service. Used for checks, completion and documentation.
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
} from 'graphql'
import type { Credential } from '../data/credential.ts'
import { isJsonObject, objectAt } from '../data/json_object.ts'
import { sendQuery } from './send_query.ts'

export type SchemaAnswer =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly why: string; readonly status: number }
  | { readonly kind: 'known'; readonly schema: GraphQLSchema }

export const askSchema = async (credential: Credential, signal: AbortSignal): Promise<SchemaAnswer> => {
  const query = { query: getIntrospectionQuery(), variables: '', operationName: null }
  const { status, text, notice } = await sendQuery(query, credential, signal)
  if (notice !== null) return { kind: 'failed', why: notice, status }
  try {
    const data = objectAt(JSON.parse(text), 'data')
    if (!isIntrospection(data)) return { kind: 'failed', why: 'The service did not tell its schema.', status }
    return { kind: 'known', schema: buildClientSchema(data) }
  } catch {
    return { kind: 'failed', why: 'The service answered with a schema that this page cannot read.', status }
  }
}

/** Checks only the outer members that the library reads first. The library checks the rest and throws. */
const isIntrospection = (data: unknown): data is IntrospectionQuery =>
  isJsonObject(data) && objectAt(data, '__schema') !== null
