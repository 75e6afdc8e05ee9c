// One request that a person started: under way, failed with a sentence, or over. A second press while it runs does nothing.
import { useCallback, useEffect, useRef, useState } from 'react'
import { messageOf } from './api_failure.ts'

export type Asked =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'failed'; readonly why: string }

export type Asking = {
  readonly state: Asked
  readonly ask: (act: (signal: AbortSignal) => Promise<void>) => void
}

export const useAsked = (words: (failure: unknown) => string = messageOf): Asking => {
  const [state, setState] = useState<Asked>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const ask = useCallback(
    (act: (signal: AbortSignal) => Promise<void>): void => {
      if (running.current !== null && !running.current.signal.aborted) return
      const lifetime = new AbortController()
      running.current = lifetime
      const settle = (next: Asked): void => {
        if (!lifetime.signal.aborted) setState(next)
        lifetime.abort()
      }
      setState({ kind: 'asking' })
      act(lifetime.signal).then(
        () => settle({ kind: 'idle' }),
        (failure: unknown) => settle({ kind: 'failed', why: words(failure) }),
      )
    },
    [words],
  )
  return { state, ask }
}
