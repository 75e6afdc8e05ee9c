// One request that a person started: running, failed with a reason, or done. A second press while it runs
// does nothing. What it wrote is then read again.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { openApi } from './api_client.ts'
import { messageOf } from './api_failure.ts'
import { useConsoleIfSignedIn } from './console_context.ts'
import { readWrittenAgain } from './queries.ts'

type Act = (signal: AbortSignal) => Promise<unknown>

/** Leaving the page aborts the request, because the answer would act on a page that is gone. */
export const useAsked = (words: (error: unknown) => string = messageOf) => {
  const { written } = useConsoleIfSignedIn()?.api ?? openApi
  const queries = useQueryClient()
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const { mutate, isPending, error } = useMutation({
    mutationFn: (act: Act) => {
      const lifetime = new AbortController()
      running.current = lifetime
      return act(lifetime.signal)
    },
    onSettled: () => {
      running.current = null
      // Also after a failure, because it may have been done all the same.
      readWrittenAgain(queries, written)
    },
  })
  const ask = useCallback(
    (act: Act): void => {
      if (running.current === null) mutate(act)
    },
    [mutate],
  )
  /** Why the last one failed. Null otherwise. */
  const why = isPending || error === null ? null : words(error)
  return { isAsking: isPending, why, ask }
}
