// How the page asks: the one QueryClient of a visit, with what is asked again, how long a wait is, and what is kept.
import { QueryClient } from '@tanstack/react-query'
import { ApiFailure, isTransient } from './api_failure.ts'
import { retryDelay } from './retry_schedule.ts'

/** What nobody shows any more. The budget of requests bounds how many answers can gather in that time. */
const KEPT_MS = 60_000

export const openQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // The network, 5xx and 429 may pass with time, so they are tried for as long as somebody looks; a refusal stands.
        retry: (_, failure) => isTransient(failure),
        retryDelay: (failures, failure) =>
          retryDelay(failures + 1, Math.random(), failure instanceof ApiFailure ? failure.retryAfterMs : 0),
        gcTime: KEPT_MS,
        // What changes is told by the stream; a look at the page is no reason to spend the budget.
        refetchOnWindowFocus: false,
        // The browser may call itself offline while a server on this machine answers.
        networkMode: 'always',
      },
      // What a person started, they start again themselves.
      mutations: { retry: false, gcTime: 0, networkMode: 'always' },
    },
  })
