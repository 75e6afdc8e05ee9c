// Sends one request to /gql with the session's credential, and describes the outcome in words.
import { boundedText } from '../data/bounded_text.ts'
import { type Credential, sendWith } from '../data/credential.ts'
import { retryAfterMs } from '../data/retry_schedule.ts'
import type { SharedQuery } from './shared_query.ts'

export type Query = SharedQuery & { readonly operationName: string | null }

export type Answer = {
  /** 0 when there was no answer. */
  readonly status: number
  readonly ms: number
  readonly bytes: number
  /**
   * Number of results of a subscription so far; only the newest few are displayed. Null for a single answer.
   */
  readonly results: number | null
  /** Indented JSON, or the text that the service sent instead. */
  readonly text: string
  /** A message for the person. Null when the answer needs none. */
  readonly notice: string | null
}

const TIMEOUT_MS = 30_000
const LARGEST_ANSWER_BYTES = 8 * 1024 * 1024

type QueryParts = {
  readonly query: string
  readonly variables?: Record<string, unknown>
  readonly operationName?: string
}

/** Leaves out empty members. Throws when the variables are not JSON. */
export const queryParts = ({ query, variables, operationName }: Query): QueryParts => ({
  query,
  ...(variables.trim() === '' ? {} : { variables: JSON.parse(variables) }),
  ...(operationName === null ? {} : { operationName }),
})

/** Throws only when aborted, with the signal's reason. */
export const sendQuery = async (
  query: Query,
  credential: Credential,
  signal: AbortSignal,
): Promise<Answer> => {
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const answer = (status: number, text: string, notice: string | null): Answer => ({
    status,
    ms: Math.round(performance.now() - startedAt),
    bytes: new Blob([text]).size,
    results: null,
    text: indented(text),
    notice,
  })
  try {
    const response = await sendWith(credential, (token) =>
      fetch('/gql', {
        method: 'POST',
        headers: {
          accept: 'application/graphql-response+json, application/json',
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify(queryParts(query)),
        signal: AbortSignal.any([signal, timeout]),
        credentials: 'omit',
        cache: 'no-store',
      }),
    )
    const text = await boundedText(response, LARGEST_ANSWER_BYTES)
    if (text === null)
      return answer(response.status, '', 'The answer is larger than this page reads. Ask for fewer rows.')
    const waitMs = retryAfterMs(response.headers.get('retry-after'), Date.now())
    return answer(response.status, text, noticeOf(response.status, waitMs))
  } catch (error) {
    if (signal.aborted) throw error
    const why = timeout.aborted
      ? `The service did not answer within ${TIMEOUT_MS / 1_000} s.`
      : 'The service cannot be reached. Nothing is known about what became of the request.'
    return answer(0, '', why)
  }
}

const noticeOf = (status: number, waitMs: number): string | null => {
  if (status === 401) return 'The service does not accept this sign-in.'
  if (status === 403)
    return 'You may not do that from here: the sign-in lacks the scope, or the team is not yours.'
  if (status === 413) return 'The query is larger than the service takes.'
  if (status === 429)
    return `Too many requests: your budget is used up. ${
      waitMs > 0 ? `Try again in ${Math.ceil(waitMs / 1_000)} s.` : 'Try again in a while.'
    }`
  if (status >= 500) return `The service answered ${status}: it failed, not your query.`
  return null
}

const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
