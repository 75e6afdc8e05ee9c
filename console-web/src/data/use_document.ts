// One document of the API on the page. It is requested again on a pulse or after some time, and stays on
// screen meanwhile.
import { type QueryObserverResult, skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { openApi } from './api_client.ts'
import { ApiFailure, isTransient, messageOf } from './api_failure.ts'
import { useConsoleIfSignedIn } from './console_context.ts'
import { askAgain } from './queries.ts'

export type Loaded<T> =
  /** `why` says what is waited for, when it is not the answer. */
  | { readonly kind: 'loading'; readonly why?: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'found'; readonly value: T }

type DocumentOptions<T> = {
  /**
   * Throws ApiFailure when the document has another shape. Must be the same function on every render: use a
   * function of a module.
   */
  readonly read: (document: JsonValue) => T
  /** The document is requested again when this changes, such as the head of the chain. */
  readonly pulse?: string | null | undefined
  /** No pulse changes anything of this value any more. */
  readonly isSettled?: ((value: T) => boolean) | undefined
  /** How long the value stays fresh. Null when no change is expected. */
  readonly freshMs?: ((value: T) => number | null) | undefined
}

/**
 * When `path` is null, requests nothing. Without a sign-in, asks for what the service answers to everybody. A temporary
 * failure keeps the value and is retried automatically.
 */
export const useDocument = <T>(
  path: string | null,
  { read, pulse = null, isSettled, freshMs }: DocumentOptions<T>,
): Loaded<T> & { readonly again: () => void } => {
  const api = useConsoleIfSignedIn()?.api ?? openApi
  const queries = useQueryClient()
  const [freshFor, setFreshFor] = useState<number | null>(null)
  const query = useQuery({
    queryKey: ['document', path],
    queryFn: path === null ? skipToken : ({ signal }) => api.get(path, signal),
    select: read,
    refetchInterval: freshFor ?? false,
  })
  const next = query.data === undefined ? null : (freshMs?.(query.data) ?? null)
  if (next !== freshFor) setFreshFor(next)

  const again = useCallback(() => askAgain(queries, { queryKey: ['document', path] }), [queries, path])

  const loaded = loadedOf(query)
  const isOver = loaded.kind === 'found' && isSettled?.(loaded.value) === true
  const asked = useRef(pulse)
  useEffect(() => {
    if (asked.current === pulse) return
    asked.current = pulse
    if (!isOver) again()
  }, [pulse, isOver, again])

  return { ...loaded, again }
}

/** `failureReason` is that of the last failed attempt, while retries go on. */
type Answer<T> = Pick<QueryObserverResult<T>, 'data' | 'error' | 'failureReason'>

/** The states of a request that a page displays. */
export const loadedOf = <T>({ data, error, failureReason }: Answer<T>): Loaded<T> => {
  const failure = error ?? failureReason
  // It goes on by itself when the time is over that the server named.
  const isWaiting = error === null && failure instanceof ApiFailure && failure.kind === 'rate_limited'
  if (isWaiting && data === undefined) return { kind: 'loading', why: failure.message }
  if (failure !== null && !(isTransient(failure) && data !== undefined))
    return isMissing(failure) ? { kind: 'missing' } : { kind: 'failed', why: messageOf(failure) }
  return data === undefined ? { kind: 'loading' } : { kind: 'found', value: data }
}

const isMissing = (failure: Error): boolean => failure instanceof ApiFailure && failure.kind === 'not_found'
