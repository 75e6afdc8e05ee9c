// A request that did not give what was asked for, and what can be done about it.
import type { JsonObject } from './json_object.ts'

export type FailureKind =
  | 'unauthorized'
  | 'not_found'
  | 'rate_limited'
  | 'refused'
  | 'server'
  | 'unreachable'
  | 'unreadable'

/** One of the things that a refusal says are wrong with a request. */
export type Problem = {
  readonly code: string | null
  readonly detail: string
  /** JSON pointer into what was sent, e.g. `/data/attributes/url`. */
  readonly pointer: string | null
  readonly meta: JsonObject
}

export class ApiFailure extends Error {
  readonly kind: FailureKind
  readonly status: number
  readonly code: string | null
  /** Everything that was wrong; empty when there was no answer that says. */
  readonly problems: readonly Problem[]
  /** How long the server asked us to wait; 0 when it said nothing. */
  readonly retryAfterMs: number

  constructor(
    kind: FailureKind,
    message: string,
    more: {
      status?: number
      code?: string | null
      problems?: readonly Problem[]
      retryAfterMs?: number
    } = {},
  ) {
    super(message)
    this.name = 'ApiFailure'
    this.kind = kind
    this.status = more.status ?? 0
    this.code = more.code ?? null
    this.problems = more.problems ?? []
    this.retryAfterMs = more.retryAfterMs ?? 0
  }
}

/** Worth trying again by itself: everything that may pass with time. */
export const isTransient = (failure: unknown): boolean =>
  failure instanceof ApiFailure &&
  (failure.kind === 'rate_limited' || failure.kind === 'server' || failure.kind === 'unreachable')

export const messageOf = (failure: unknown): string =>
  failure instanceof Error ? failure.message : 'Something went wrong.'
