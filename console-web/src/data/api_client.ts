// Requests to the server of this page with the session's credential. Handles 401, 429 and network failures in one
// place.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { ApiFailure, type Problem, sentence, unreadable, waitWords } from './api_failure.ts'
import { boundedText } from './bounded_text.ts'
import { type Credential, sendWith } from './credential.ts'
import { retryAfterMs } from './retry_schedule.ts'
import { isJsonObject, numberAt, objectAt, textAt } from './shape.ts'
import { Store } from './store.ts'

export type Api = ReturnType<typeof apiClient>

type PostOptions = {
  readonly signal?: AbortSignal | undefined
  /** With the same key, a repeated attempt gets the answer of the first. */
  readonly idempotencyKey?: string
  /** For requests that take the server long. The default is 15 s. */
  readonly timeoutMs?: number
  /** The default is the type of JSON:API, which `/gql` does not take. */
  readonly contentType?: 'application/vnd.api+json' | 'application/json'
}

type ApiPorts = {
  /** Null for what needs none. */
  readonly credential: Credential | null
  /** Called when a response says that the credential is invalid or has become invalid. */
  readonly unauthorized?: () => void
  /** The time (local clock) until which the server asked the page to slow down. Nothing is sent before. */
  readonly slowedUntil?: Store<number>
  /** Called with the header fields of every answer. */
  readonly answered?: (headers: Headers) => void
}

const REQUEST_TIMEOUT_MS = 15_000
const JSON_TYPES = 'application/vnd.api+json, application/json'
const LARGEST_RESPONSE_BYTES = 8 * 1024 * 1024

const parse = (text: string): JsonValue => JSON.parse(text)

export const apiClient = ({ credential, unauthorized, slowedUntil = new Store(0), answered }: ApiPorts) => {
  const answer = async <T extends JsonValue>(
    path: string,
    asked: Asked,
    read: (text: string) => T,
  ): Promise<T | null> => {
    const wait = slowedUntil.read() - Date.now()
    if (wait > 0) throw tooMany(wait)
    const response =
      credential === null
        ? await send(path, null, asked)
        : await sendWith(credential, (token) => send(path, token, asked))
    answered?.(response.headers)
    if (response.status === 401) {
      unauthorized?.()
      throw new ApiFailure('unauthorized', 'This is not accepted any more.')
    }
    if (response.ok) return bodyOf(response, read)
    const failure = failureOf(response, await bodyOf(response, parse))
    if (response.status !== 429) throw failure
    const namedMs = numberAt(failure.problems[0]?.meta, 'retry_after_ms') ?? 0
    const waitMs = Math.max(1_000, failure.retryAfterMs, namedMs)
    slowedUntil.write(Date.now() + waitMs)
    throw tooMany(waitMs)
  }
  return {
    /**
     * Parsed JSON from a path on this origin.
     * @throws ApiFailure, or the signal's reason when aborted
     */
    get: (path: string, signal?: AbortSignal) => answer(path, { method: 'GET', signal }, parse),
    /** The text of an answer that is not JSON. */
    text: async (path: string, signal?: AbortSignal) =>
      (await answer(path, { method: 'GET', signal, accept: 'text/plain' }, (body) => body)) ?? '',
    /** Sends JSON. The strict reader reads the answer, so that hashed values keep every digit. */
    post: async (path: string, body: object, more: PostOptions = {}) => {
      // Most pages send nothing. Before the request, so that an answer never waits for code that cannot be loaded any more.
      const { readStrictJson } = await import('../../../shared/proof/strict_json.ts').catch(() => {
        throw new ApiFailure('unreachable', 'The server cannot be reached.')
      })
      return answer(path, { ...more, method: 'POST', body: JSON.stringify(body) }, readStrictJson)
    },
    patch: (path: string, body: object, signal?: AbortSignal) =>
      answer(path, { method: 'PATCH', signal, body: JSON.stringify(body) }, parse),
    delete: (path: string, signal?: AbortSignal) => answer(path, { method: 'DELETE', signal }, parse),
  }
}

/** For what the service answers to everybody. */
export const openApi = apiClient({ credential: null })

type Asked = PostOptions & {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly body?: string
  readonly accept?: string
}

/**
 * Links in documents are absolute and use the server's BASE_URL. The page uses only the path, on the origin
 * that it was loaded from.
 */
export const pathOf = (link: string): string => {
  const url = new URL(link, 'http://localhost')
  return url.pathname + url.search
}

const send = async (
  path: string,
  token: string | null,
  {
    method,
    signal,
    body,
    idempotencyKey,
    timeoutMs = REQUEST_TIMEOUT_MS,
    accept = JSON_TYPES,
    contentType = 'application/vnd.api+json',
  }: Asked,
): Promise<Response> => {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    return await fetch(path, {
      method,
      headers: {
        accept,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': contentType }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: body ?? null,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      credentials: 'omit',
      cache: 'no-cache',
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiFailure(
      'unreachable',
      timeout.aborted ? 'The server did not answer in time.' : 'The server cannot be reached.',
    )
  }
}

const bodyOf = async <T>(response: Response, read: (text: string) => T): Promise<T | null> => {
  const text = await wholeText(response)
  if (text === '') return null
  try {
    return read(text)
  } catch {
    if (!response.ok) return null
    throw unreadable()
  }
}

/** An answer that ends in the middle is a lost connection, so it is asked for again like any other. */
const wholeText = async (response: Response): Promise<string> => {
  const text = await boundedText(response, LARGEST_RESPONSE_BYTES).catch(() => {
    throw new ApiFailure('unreachable', 'The connection was lost in the middle of the answer.')
  })
  if (text === null)
    throw new ApiFailure('unreadable', 'The server sent more than this page is willing to read.')
  return text
}

const problemOf = (error: unknown): Problem => ({
  code: textAt(error, 'code'),
  detail: textAt(error, 'detail') ?? textAt(error, 'title') ?? 'was refused',
  pointer: textAt(objectAt(error, 'source'), 'pointer'),
  meta: objectAt(error, 'meta') ?? {},
})

const failureOf = ({ status, headers }: Response, body: unknown): ApiFailure => {
  const listed = isJsonObject(body) ? body.errors : undefined
  const errors: readonly unknown[] = Array.isArray(listed) ? listed : []
  const detail = textAt(errors[0], 'detail') ?? textAt(errors[0], 'title') ?? `The server answered ${status}.`
  const kind = status === 404 ? 'not_found' : status >= 500 ? 'server' : 'refused'
  return new ApiFailure(kind, sentence(detail), {
    code: textAt(errors[0], 'code'),
    problems: errors.map(problemOf),
    retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()),
  })
}

const tooMany = (waitMs: number): ApiFailure =>
  new ApiFailure('rate_limited', waitWords(waitMs), { retryAfterMs: waitMs })
