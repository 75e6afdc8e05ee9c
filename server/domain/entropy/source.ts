// The interface of a public entropy source, and the reading of its newest entry within bounds. Every source passes
// the same conformance suite.
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { boundedRequest, RequestFailed } from '../../outgoing/bounded_request.ts'
import { AnswerWrong } from '../../outgoing/strict_answer.ts'
import type { EntropySource } from '../ledger/observation.ts'

/** The answer of a source. */
export interface Reading {
  /**
   * The source's members as printed, and no others, so that the same pulse, ledger or block gives the same payload.
   */
  readonly payload: JsonObject
  readonly publishedAt: Date
}

/** The body of a 200 answer for a path below the source's base address. */
type Ask = (path: string) => Promise<Buffer>

export interface Source {
  readonly name: EntropySource
  /** The default base address. The setting `ENTROPY_…_URL` replaces it. */
  readonly byDefault: string
  /** Description of that setting. */
  readonly meaning: string
  /** Reads the newest entry. @throws AnswerWrong when the answer does not have exactly the expected form */
  readonly read: (ask: Ask) => Promise<Reading>
}

export interface SourceAt {
  readonly source: Source
  /** The base address in use, without a trailing slash. */
  readonly address: string
}

/** `bad_status`: the status was not 200. `bad_answer`: a 200 answer with wrong content. */
export const SOURCE_FAILURES = ['timeout', 'too_large', 'unreachable', 'bad_status', 'bad_answer'] as const
export type SourceFailure = (typeof SOURCE_FAILURES)[number]

/**
 * Why there is no reading this time. The message is for people and repeats nothing of the answer but a member's name.
 */
export class SourceFailed extends Error {
  readonly reason: SourceFailure

  constructor(reason: SourceFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SourceFailed'
    this.reason = reason
  }
}

/** Bytes of one answer, and so of what is captured of it. */
export const SOURCE_BYTES = 1_048_576

/** `timeoutMs` is for a whole reading, `maxBytes` for one answer. */
const BOUNDS = { timeoutMs: 10_000, maxBytes: SOURCE_BYTES } as const

interface ReadingBounds {
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
