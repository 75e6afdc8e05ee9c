// The error of a failed request, and what can be done about it.
import type { JsonObject } from '../../../shared/proof/json_value.ts'

type FailureKind =
  | 'unauthorized'
  | 'not_found'
  | 'rate_limited'
  | 'refused'
  | 'server'
  | 'unreachable'
  | 'unreadable'

/** One of the problems that a refusal lists. */
export type Problem = {
  readonly code: string | null
  readonly detail: string
  /** JSON pointer into the request body, e.g. `/data/attributes/url`. */
  readonly pointer: string | null
  readonly meta: JsonObject
}

export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly kind: FailureKind
  readonly code: string | null = null
  /** All listed problems. Empty when the answer lists none, or when there was no answer. */
  readonly problems: readonly Problem[] = []
  /** How long the server asked to wait. 0 when it did not say. */
  readonly retryAfterMs: number = 0

  constructor(
    kind: FailureKind,
    message: string,
    more: Partial<Pick<ApiFailure, 'code' | 'problems' | 'retryAfterMs'>> = {},
  ) {
    super(message)
    this.kind = kind
    Object.assign(this, more)
  }
}

/** True for failures that may pass with time, so that an automatic retry makes sense. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiFailure &&
  (error.kind === 'rate_limited' || error.kind === 'server' || error.kind === 'unreachable')

export const unreadable = (what = 'something'): ApiFailure =>
  new ApiFailure('unreadable', `The server sent ${what} that this page cannot read.`)

/** The service tells what was refused without a capital and without a full stop. */
export const sentence = (detail: string): string =>
  `${detail.charAt(0).toUpperCase()}${detail.slice(1)}${/[.!?]$/.test(detail) ? '' : '.'}`
export const waitWords = (ms: number): string => `Waiting ${Math.ceil(ms / 1_000)} s, as the server asked.`

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something went wrong.'
