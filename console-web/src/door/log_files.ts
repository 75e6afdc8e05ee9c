// Reads files of the public log without a key, within a time and a number of bytes.
import { ApiFailure } from '../data/api_failure.ts'
import { retryAfterMs } from '../data/retry_schedule.ts'

export type LogFiles = {
  readonly text: (path: string) => Promise<string>
  /** The end of a file, or the whole where the server does not know ranges. */
  readonly tail: (path: string, bytes: number) => Promise<Uint8Array>
  readonly bytes: (path: string) => Promise<Uint8Array>
}

const TIMEOUT_MS = 10_000
const MOST_BYTES = 1_048_576

export const logFiles = (get: typeof fetch = (...asked) => fetch(...asked)): LogFiles => {
  const bytes = async (path: string, headers: Record<string, string> = {}): Promise<Uint8Array> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const lost = (): never => {
      throw new ApiFailure(
        'unreachable',
        signal.aborted ? 'No answer came in time.' : 'It cannot be reached.',
      )
    }
    const response = await get(path, { headers, signal, credentials: 'omit' }).catch(lost)
    if (!response.ok) throw failureOf(response)
    return boundedBytes(response).catch(lost)
  }
  return {
    bytes,
    text: async (path) => new TextDecoder().decode(await bytes(path)),
    tail: (path, count) => bytes(path, { range: `bytes=-${count}` }),
  }
}

const failureOf = ({ status, headers }: Response): ApiFailure => {
  const kind = status === 404 ? 'not_found' : status === 429 ? 'rate_limited' : 'server'
  return new ApiFailure(kind, `The answer was ${status}.`, {
    status,
    retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()),
  })
}

const boundedBytes = async (response: Response): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {}
    if (done || value === undefined) break
    parts.push(value)
    length += value.length
    if (length > MOST_BYTES) {
      await reader?.cancel()
      throw new RangeError('too long')
    }
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
