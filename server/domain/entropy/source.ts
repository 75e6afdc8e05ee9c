// What a public entropy source must be able to do for us. Every source passes the same conformance suite.
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import type { EntropySource } from '../ledger/observation.ts'

/** What a source said. */
export interface Reading {
  /** Its members as the source printed them, and no others: the same pulse, ledger or block gives the same payload. */
  readonly payload: JsonObject
  readonly publishedAt: Date
}

/** The body of a 200 from one path below the source's base address. */
export type Ask = (path: string) => Promise<Buffer>

export interface Source {
  readonly name: EntropySource
  /** The base address that everybody uses; the setting `ENTROPY_…_URL` names another one. */
  readonly byDefault: string
  /** What that setting names. */
  readonly meaning: string
  /** The newest there is. @throws AnswerWrong when the answer has not exactly the shape it should have */
  readonly read: (ask: Ask) => Promise<Reading>
}

export interface SourceAt {
  readonly source: Source
  /** The base address it is asked at, without a slash at its end. */
  readonly address: string
}

/** `bad_status`: answered, but not with a 200. `bad_answer`: a 200 that says something else than it should. */
export const SOURCE_FAILURES = ['timeout', 'too_large', 'unreachable', 'bad_status', 'bad_answer'] as const
export type SourceFailure = (typeof SOURCE_FAILURES)[number]

/** Why there is no reading this time; the message is for people and names no more of the answer than a member. */
export class SourceFailed extends Error {
  readonly reason: SourceFailure

  constructor(reason: SourceFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SourceFailed'
    this.reason = reason
  }
}
