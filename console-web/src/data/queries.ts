// The one QueryClient of a visit: which requests are retried, how long the waits are, and how long answers
// are kept.
import { QueryClient } from '@tanstack/react-query'
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
