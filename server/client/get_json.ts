// One GET or POST for JSON over HTTP(S), limited to ten seconds and one mebibyte.
import { getBytes, type HttpQuestion } from './get_bytes.ts'

export interface HttpAnswer {
  readonly status: number
  readonly text: string
  readonly retryAfterSeconds: number | undefined
}

const TIMEOUT_MS = 10_000
export const LARGEST_ANSWER_BYTES = 1_048_576

/**
 * Any status counts as an answer.
 * @throws Complaint when there is no answer
 */
export async function askHttp(url: URL, question: HttpQuestion = {}): Promise<HttpAnswer> {
  const headers = { accept: 'application/vnd.api+json, application/json', ...question.headers }
  const { bytes, ...answer } = await getBytes(
    url,
    { ...question, headers },
    { bytes: LARGEST_ANSWER_BYTES, milliseconds: TIMEOUT_MS },
  )
  return { ...answer, text: new TextDecoder().decode(bytes) }
}
