// The interface of a public entropy source. Every source passes the same conformance suite.
import type { JsonObject } from '../../../shared/proof/json_value.ts'
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
export type Ask = (path: string) => Promise<Buffer>

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
