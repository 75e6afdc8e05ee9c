// One document of the API on the page: asked for, asked again on a pulse or after a while, and kept on screen while it is.
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { ApiFailure, isTransient, messageOf } from './api_failure.ts'
import { useConsole } from './console_context.ts'

export type Loaded<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'found'; readonly value: T }

export type DocumentOptions<T> = {
  /** Throws ApiFailure on what is not the document. Stable: a function of a module. */
  readonly read: (document: JsonValue) => T
  /** Asked again whenever this changes, such as the head of the chain. */
  readonly pulse?: string | null
  /** How long what was found may stand; null when nothing is expected to change. Stable as well. */
  readonly freshMs?: (value: T) => number | null
}

const RETRY_MS = 5_000

type Seen<T> = { readonly path: string; readonly loaded: Loaded<T> }

/** Null for `path` asks for nothing. A transient failure keeps what was there and tries again by itself. */
export const useDocument = <T>(
  path: string | null,
  { read, pulse = null, freshMs }: DocumentOptions<T>,
): Loaded<T> & { readonly again: () => void } => {
  const { api } = useConsole()
  const [seen, setSeen] = useState<Seen<T> | null>(null)
  const [round, setRound] = useState(0)
  const again = useCallback(() => setRound((count) => count + 1), [])

  // A new question whenever one of these is another, although only the path goes over the wire.
  const question = useMemo(() => ({ path, pulse, round }), [path, pulse, round])

  useEffect(() => {
    const { path } = question
    if (path === null) return
    const lifetime = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = (ms: number): void => {
      timer = setTimeout(again, ms)
    }
    const show = (loaded: Loaded<T>): void => setSeen({ path, loaded })
    api.get(path, lifetime.signal).then(
      (document) => {
        if (lifetime.signal.aborted) return
        const loaded = readOrFail(document, read)
        show(loaded)
        const fresh = loaded.kind === 'found' ? (freshMs?.(loaded.value) ?? null) : null
        if (fresh !== null) later(fresh)
      },
      (failure: unknown) => {
        if (lifetime.signal.aborted) return
        if (isTransient(failure)) {
          const asked = failure instanceof ApiFailure ? failure.retryAfterMs : 0
          later(Math.max(RETRY_MS, asked))
          setSeen((held) =>
            held?.path === path && held.loaded.kind === 'found'
              ? held
              : { path, loaded: { kind: 'failed', why: messageOf(failure) } },
          )
        } else show(isMissing(failure) ? { kind: 'missing' } : { kind: 'failed', why: messageOf(failure) })
      },
    )
    return () => {
      lifetime.abort()
      clearTimeout(timer)
    }
  }, [api, question, read, freshMs, again])

  const loaded: Loaded<T> = seen !== null && seen.path === path ? seen.loaded : { kind: 'loading' }
  return { ...loaded, again }
}

const readOrFail = <T>(document: JsonValue, read: (document: JsonValue) => T): Loaded<T> => {
  try {
    return { kind: 'found', value: read(document) }
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure
    return { kind: 'failed', why: failure.message }
  }
}

const isMissing = (failure: unknown): boolean => failure instanceof ApiFailure && failure.kind === 'not_found'
