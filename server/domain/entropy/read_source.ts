// Reads the newest entry of a source within bounds: one time limit for the whole reading, one ceiling per answer.
import { boundedRequest, RequestFailed } from '../../outgoing/bounded_request.ts'
import { AnswerWrong } from '../../outgoing/strict_answer.ts'
import { type Ask, type Reading, type SourceAt, SourceFailed } from './source.ts'

/** Bytes of one answer, and so of what is captured of it. */
export const SOURCE_BYTES = 1_048_576

/** `timeoutMs` is for a whole reading, `maxBytes` for one answer. */
const BOUNDS = { timeoutMs: 10_000, maxBytes: SOURCE_BYTES } as const

export interface ReadingBounds {
  readonly timeoutMs?: number | undefined
  /** Aborts the reading, which then fails as unreachable. */
  readonly signal?: AbortSignal | undefined
}

/** @throws SourceFailed for everything that the source does wrong */
export async function readSource(
  { source, address }: SourceAt,
  { timeoutMs = BOUNDS.timeoutMs, signal }: ReadingBounds = {},
): Promise<Reading> {
  const until = performance.now() + timeoutMs
  const ask: Ask = async (path) => {
    const left = Math.ceil(until - performance.now())
    if (left <= 0) throw new SourceFailed('timeout', `no reading within ${timeoutMs} ms`)
    const { status, body } = await boundedRequest(`${address}${path}`, {
      headers: { accept: 'application/json, text/plain', 'user-agent': 'pharos' },
      timeoutMs: left,
      maxBytes: BOUNDS.maxBytes,
      ...(signal === undefined ? {} : { signal }),
    })
    if (status !== 200) throw new SourceFailed('bad_status', `answered ${status} instead of 200`)
    return body
  }
  try {
    return await source.read(ask)
  } catch (error) {
    if (error instanceof RequestFailed) throw new SourceFailed(error.reason, error.message, { cause: error })
    if (error instanceof AnswerWrong) throw new SourceFailed('bad_answer', error.message, { cause: error })
    throw error
  }
}
