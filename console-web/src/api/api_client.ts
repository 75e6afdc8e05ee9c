// GET requests to our own server with the session's key: one gate for 401, 429 and a network that is not there.
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { retryAfterMs } from '../stream/retry_schedule.ts'
import { ApiFailure } from './api_failure.ts'
import { isJsonObject, numberAt, objectAt, textAt } from './json_object.ts'

export type Api = {
  /** Parsed JSON of a path on this origin. Throws ApiFailure, or the signal's reason when aborted. */
  readonly get: (path: string, signal?: AbortSignal) => Promise<JsonValue>
}

export type ApiPorts = {
  readonly key: string
  /** Called once a response says that the key is not (or no longer) valid. */
  readonly unauthorized: () => void
  /** Told when the server asks us to slow down, with the time (local clock) until which we do. */
  readonly slowedUntil: (time: number) => void
}

const REQUEST_TIMEOUT_MS = 15_000
const LARGEST_RESPONSE_BYTES = 8 * 1024 * 1024

export const apiClient = ({ key, unauthorized, slowedUntil }: ApiPorts): Api => {
  let closedUntil = 0
  return {
    get: async (path, signal) => {
      const wait = closedUntil - Date.now()
      if (wait > 0) throw tooMany(wait)
      const response = await send(path, key, signal)
      if (response.status === 401) {
        unauthorized()
        throw new ApiFailure('unauthorized', 'This key is not valid.', { status: 401 })
      }
      if (response.status === 429) {
        const body = await bodyOf(response)
        const asked = retryAfterMs(response.headers.get('retry-after'), Date.now())
        const waitMs = Math.max(
          1_000,
          asked,
          numberAt(objectAt(firstError(body), 'meta'), 'retry_after_ms') ?? 0,
        )
        closedUntil = Date.now() + waitMs
        slowedUntil(closedUntil)
        throw tooMany(waitMs)
      }
      const body = await bodyOf(response)
      if (response.ok) return body
      throw refusal(response.status, body)
    },
  }
}

/** Links in documents are absolute from the server's BASE_URL; the page talks to the origin it was loaded from. */
export const pathOf = (link: string): string => {
  const url = new URL(link, 'http://localhost')
  return url.pathname + url.search
}

const send = async (path: string, key: string, signal?: AbortSignal): Promise<Response> => {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  try {
    return await fetch(path, {
      headers: { accept: 'application/vnd.api+json, application/json', authorization: `Bearer ${key}` },
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      credentials: 'omit',
      cache: 'no-cache',
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ApiFailure(
      'unreachable',
      timeout.aborted ? 'The server did not answer in time.' : 'The server cannot be reached.',
    )
  }
}

const bodyOf = async (response: Response): Promise<JsonValue> => {
  if (Number(response.headers.get('content-length') ?? 0) > LARGEST_RESPONSE_BYTES)
    throw new ApiFailure('unreadable', 'The server sent more than this page is willing to read.')
  try {
    const text = await response.text()
    return text === '' ? null : JSON.parse(text)
  } catch {
    if (!response.ok) return null
    throw new ApiFailure('unreadable', 'The server sent something this page cannot read.', {
      status: response.status,
    })
  }
}

const firstError = (body: unknown): unknown => {
  const errors = isJsonObject(body) ? body.errors : undefined
  return Array.isArray(errors) ? errors[0] : undefined
}

const refusal = (status: number, body: unknown): ApiFailure => {
  const error = firstError(body)
  const detail = textAt(error, 'detail') ?? textAt(error, 'title') ?? `The server answered ${status}.`
  const kind = status === 404 ? 'not_found' : status >= 500 ? 'server' : 'refused'
  return new ApiFailure(kind, detail, { status, code: textAt(error, 'code') })
}

const tooMany = (waitMs: number): ApiFailure =>
  new ApiFailure('rate_limited', 'Too many requests; waiting as the server asked.', {
    status: 429,
    retryAfterMs: waitMs,
  })
