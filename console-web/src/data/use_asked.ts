// One request that a person started: running, failed with a reason, or done. A second press while it runs
// does nothing. What it wrote is then read again.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Api, openApi } from './api_client.ts'
import { messageOf } from './api_failure.ts'
import { useConsoleIfSignedIn } from './console_context.ts'
import { readWrittenAgain, type Written } from './queries.ts'

/** Asks with an API of its own. Leaving the page ends its requests, because an answer would act on a page that is gone. */
export type Act = (by: { readonly api: Api; readonly signal: AbortSignal }) => Promise<unknown>

export const useAsked = (words: (error: unknown) => string = messageOf) => {
  const api = useConsoleIfSignedIn()?.api ?? openApi
  const queries = useQueryClient()
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (act: Act) => {
      const lifetime = new AbortController()
      const { signal } = lifetime
      const written: Written = new Map()
      running.current = lifetime
      try {
        await act({ api: apiOfAct(api, signal, written), signal })
      } finally {
        running.current = null
        // Also after a failure, because it may have been done all the same.
        readWrittenAgain(queries, written)
      }
    },
  })
  const ask = (act: Act): void => {
    if (running.current === null) mutate(act)
  }
  /** Why the last one failed. Null otherwise. */
  const why = isPending || error === null ? null : words(error)
  return { isAsking: isPending, why, ask }
}

const apiOfAct = (api: Api, signal: AbortSignal, written: Written): Api => {
  const noted = <T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, answer: Promise<T>): Promise<T> =>
    answer.finally(() => written.set(path, method))
  return {
    get: (path) => api.get(path, signal),
    text: (path) => api.text(path, signal),
    post: (path, body, more) => noted('POST', path, api.post(path, body, { signal, ...more })),
    patch: (path, body) => noted('PATCH', path, api.patch(path, body, signal)),
    delete: (path) => noted('DELETE', path, api.delete(path, signal)),
  }
}
