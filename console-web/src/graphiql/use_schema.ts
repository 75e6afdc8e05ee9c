// The GraphQL schema as the service tells it. The editor completes and checks by it.
import { useQuery } from '@tanstack/react-query'
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
} from 'graphql'
import { rethrown } from '../../../shared/proof/bytes.ts'
import { unreadable } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { isJsonObject, objectAt } from '../data/shape.ts'
import { loadedOf } from '../data/use_document.ts'

export const useSchema = () => {
  const { api } = useConsole()
  const { data, error, failureReason, refetch } = useQuery({
    queryKey: ['schema'],
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const question = { query: getIntrospectionQuery() }
      const answer = await api.post('/gql', question, { signal, contentType: 'application/json' })
      return schemaOf(objectAt(answer, 'data'))
    },
  })
  return { ...loadedOf({ data, error, failureReason }), again: () => void refetch() }
}

/** @throws ApiFailure */
const schemaOf = (data: unknown): GraphQLSchema => {
  if (!isIntrospection(data)) throw unreadable('a schema')
  return rethrown(
    () => buildClientSchema(data),
    Error,
    () => unreadable('a schema'),
  )
}

/** Checks only the outer members that the library reads first. The library checks the rest and throws. */
const isIntrospection = (data: unknown): data is IntrospectionQuery =>
  isJsonObject(data) && objectAt(data, '__schema') !== null
