// One GET or POST for JSON over HTTP(S), limited to ten seconds and one mebibyte. Never follows a redirect.
import { Complaint } from './complaint.ts'

export interface HttpAnswer {
  readonly status: number
  readonly text: string
  readonly retryAfterSeconds: number | undefined
}

export interface HttpQuestion {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const TIMEOUT_MS = 10_000
export const LARGEST_ANSWER_BYTES = 1_048_576

/**
 * Any status counts as an answer.
 * @throws Complaint when there is no answer
 */
export async function askHttp(url: URL, question: HttpQuestion = {}): Promise<HttpAnswer> {
  try {
    const response = await fetch(url, {
      ...question,
      headers: { accept: 'application/vnd.api+json, application/json', ...question.headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
    return {
      status: response.status,
      text: await boundedText(response, url),
      retryAfterSeconds: Number.isFinite(wait) ? wait : undefined,
    }
  } catch (error) {
    if (error instanceof Complaint) throw error
    throw new Complaint(`${url.origin} ${reasonOf(error)}.`, {
      advice: 'Is the address right, and the service running?',
    })
  }
}

async function boundedText(response: Response, url: URL): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > LARGEST_ANSWER_BYTES) throw new Complaint(`${url.origin} sent more than 1 MiB.`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

const reasonOf = (error: unknown): string => {
  if (error instanceof Error && error.name === 'TimeoutError') return 'did not answer within 10 seconds'
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : ''
  return cause === '' ? 'cannot be reached' : `cannot be reached (${cause})`
}
