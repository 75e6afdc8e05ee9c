// Sends one request to /gql with the session's credential, and describes the outcome in words.
import { boundedText } from '../data/bounded_text.ts'
import { type Credential, sendWith } from '../data/credential.ts'
import { retryAfterMs } from '../data/retry_schedule.ts'
import { fileSize } from '../ui/format.ts'
import type { SharedQuery } from './shared_query.ts'

export type Query = SharedQuery & { readonly operationName: string | null }

export type Answer = {
  /** In one line, such as `200 · 12 ms · 3.4 kB`. */
  readonly facts: string
  /** Indented JSON, or the text that the service sent instead. */
  readonly text: string
  /** A message for the person. Null when the answer needs none. */
  readonly notice: string | null
  /** It is that of a subscription, of which only the newest results are displayed. */
  readonly isLive?: true
}

const TIMEOUT_MS = 30_000
const LARGEST_ANSWER_BYTES = 8 * 1024 * 1024

/** Empty members are left out in JSON. Throws when the variables are not JSON. */
export const queryParts = ({ query, variables, operationName }: Query) => {
  const given: Record<string, unknown> | undefined =
    variables.trim() === '' ? undefined : JSON.parse(variables)
  return { query, variables: given, operationName: operationName ?? undefined }
}

/** Null when the sign-in is not accepted. Throws only when aborted, with the signal's reason. */
export const sendQuery = async (
  query: Query,
  credential: Credential,
  signal: AbortSignal,
): Promise<Answer | null> => {
  const startedAt = performance.now()
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
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
    const { status, headers } = response
    const text = await boundedText(response, LARGEST_ANSWER_BYTES)
    if (status === 401) return null
    const ms = Math.round(performance.now() - startedAt)
    return {
      facts: `${status} · ${ms} ms · ${fileSize(new Blob([text ?? '']).size)}`,
      text: indented(text ?? ''),
      notice:
        text === null
          ? 'The answer is larger than this page reads. Ask for fewer rows.'
          : noticeOf(status, retryAfterMs(headers.get('retry-after'), Date.now())),
    }
  } catch (error) {
    if (signal.aborted) throw error
    return noAnswer(
      timeout.aborted
        ? `The service did not answer within ${TIMEOUT_MS / 1_000} s.`
        : 'The service cannot be reached. Nothing is known about what became of the request.',
    )
  }
}

export const noAnswer = (notice: string | null): Answer => ({ facts: '', text: '', notice })

const noticeOf = (status: number, waitMs: number): string | null => {
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
