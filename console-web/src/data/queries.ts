// The one QueryClient of a visit: which requests are retried, how long the waits are, and how long answers
// are kept; and which are asked again after a write.
import { QueryClient, type QueryFilters } from '@tanstack/react-query'
import { isTransient } from './api_failure.ts'
import { waitAfter } from './retry_schedule.ts'

/**
 * How long an answer is kept after no component shows it. The request budget limits how many answers can
 * gather in that time.
 */
const KEPT_MS = 60_000

export const openQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // Network failures, 5xx and 429 may pass, so they are retried as long as a component shows the query.
        // Refusals are not retried.
        retry: (_, error) => isTransient(error),
        retryDelay: (failures, error) => waitAfter(failures + 1, error),
        gcTime: KEPT_MS,
        // Changes arrive over the stream, so a focused window does not need a request.
        refetchOnWindowFocus: false,
        // The browser may call itself offline while a server on this machine answers.
        networkMode: 'always',
      },
      // A person started it, so only the person repeats it.
      mutations: { retry: false, gcTime: 0, networkMode: 'always' },
    },
  })

/** Cancels running requests, because their answers may be older than the reason to ask again. */
export const askAgain = (queries: QueryClient, which: QueryFilters): void =>
  void queries.cancelQueries(which).then(() => queries.invalidateQueries(which))

/** The paths that were written, and how. */
export type Written = Map<string, 'POST' | 'PATCH' | 'DELETE'>

/**
 * Documents and lists of the kinds that were written are read again where they are shown. One that was deleted is not,
 * because its page may still stand there.
 */
export const readWrittenAgain = (queries: QueryClient, written: Written): void => {
  const kinds = new Set([...written.keys()].map(kindOf))
  askAgain(queries, {
    queryKey: ['document'],
    predicate: ({ queryKey: [, path] }) =>
      typeof path === 'string' && kinds.has(kindOf(path)) && written.get(path) !== 'DELETE',
  })
}

/**
 * Such as `/api/json/api-keys`, under which a list and its documents lie. A team tells its members and the role of who
 * asks, so that memberships are of its kind.
 */
const kindOf = (path: string): string =>
  path.replace(/^(\/(?:api\/json|console)\/[^/?]+).*/, '$1').replace('/memberships', '/teams')
