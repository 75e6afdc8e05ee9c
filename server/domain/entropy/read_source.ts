// Asks a source for what is newest, within bounds: one time limit for the whole reading, one ceiling per answer.
import { boundedRequest, RequestFailed } from '../../kernel/bounded_request.ts'
import { AnswerWrong } from '../../kernel/strict_answer.ts'
import { type Ask, type Reading, type SourceAt, SourceFailed } from './source.ts'

/** Milliseconds for a whole reading, and bytes of one answer. */
/** Of one answer, and so of what is captured of it. */
export const SOURCE_BYTES = 1_048_576

const BOUNDS = { timeoutMs: 10_000, maxBytes: SOURCE_BYTES } as const

export interface ReadingBounds {
  readonly timeoutMs?: number | undefined
  /** Ends what is under way; it then fails as unreachable. */
  readonly signal?: AbortSignal | undefined
}

/** @throws SourceFailed whatever the source does wrong, and nothing else for it */
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
