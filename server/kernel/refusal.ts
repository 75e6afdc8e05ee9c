// Refusals: expected noes, as one class with a table of codes. Only renderers use HTTP statuses. Other code uses the
// codes.

interface Row {
  /** The status that HTTP renderers use. */
  readonly status: number
  /** True when the same request may succeed later. */
  readonly kind: 'transient' | 'terminal'
  /** The default `detail`. */
  readonly meaning: string
  /** Seconds after which a retry makes sense, when that is the same for every caller. */
  readonly retryAfterSeconds?: number
}

/** Every refusal code that a client may receive. */
export const REFUSALS = {
  invalid_argument: { status: 400, kind: 'terminal', meaning: 'is not a valid value' },
  invalid_attribute: { status: 400, kind: 'terminal', meaning: 'is not a valid value' },
  required: { status: 400, kind: 'terminal', meaning: 'is required' },
  invalid_body: { status: 400, kind: 'terminal', meaning: 'is not accepted here' },
  invalid_json: { status: 400, kind: 'terminal', meaning: 'the body is not well-formed JSON' },
  malformed_request: { status: 400, kind: 'terminal', meaning: 'the request is not well-formed HTTP' },
  missing_type: { status: 400, kind: 'terminal', meaning: 'the resource type is missing' },
  invalid_filter: { status: 400, kind: 'terminal', meaning: 'is not a known filter, operator or value' },
  invalid_sort: { status: 400, kind: 'terminal', meaning: 'is not a sortable field' },
  invalid_includes: { status: 400, kind: 'terminal', meaning: 'is not a published relationship' },
  invalid_field: { status: 400, kind: 'terminal', meaning: 'is not a published field' },
  invalid_pagination: { status: 400, kind: 'terminal', meaning: 'is not a valid page parameter' },
  invalid_keyset: { status: 400, kind: 'terminal', meaning: 'invalid keyset' },
  invalid_tenant: { status: 400, kind: 'terminal', meaning: 'the request names more than one tenant' },
  query_too_expensive: {
    status: 400,
    kind: 'terminal',
    meaning: 'the query took too long or had to look at too many rows; use an indexed filter or sort',
  },
  response_too_large: {
    status: 400,
    kind: 'terminal',
    meaning: 'the answer would be too large; ask for fewer rows, fields or related records',
  },
  invalid_witness: { status: 400, kind: 'terminal', meaning: 'is not the name of a witness' },
  invalid_proof: { status: 400, kind: 'terminal', meaning: 'is not a proof bundle' },
  unauthorized: { status: 401, kind: 'terminal', meaning: 'a valid credential is required' },
  forbidden: { status: 403, kind: 'terminal', meaning: 'your role does not allow this' },
  forbidden_tenant: { status: 403, kind: 'terminal', meaning: 'you are not a member of this team' },
  plan_limit: { status: 403, kind: 'terminal', meaning: 'the plan does not include this' },
  idempotency_conflict: {
    status: 409,
    kind: 'terminal',
    meaning: 'this Idempotency-Key was used for another request',
  },
  not_found: { status: 404, kind: 'terminal', meaning: 'no such record' },
  no_route_found: { status: 404, kind: 'terminal', meaning: 'no such route' },
  method_not_allowed: { status: 405, kind: 'terminal', meaning: 'this method is not published here' },
  not_acceptable: {
    status: 406,
    kind: 'terminal',
    meaning: 'only application/vnd.api+json without parameters is served',
  },
  request_timeout: {
    status: 408,
    kind: 'transient',
    meaning: 'the request did not arrive in time',
    retryAfterSeconds: 1,
  },
  invitation_limit: {
    status: 409,
    kind: 'terminal',
    meaning: 'the team has as many open invitations as it may',
  },
  conflict: { status: 409, kind: 'terminal', meaning: 'type or id disagrees with the path' },
  subject_not_ready: {
    status: 409,
    kind: 'transient',
    meaning: 'the subject is not in a finalized block yet',
    retryAfterSeconds: 15,
  },
  no_external_commitments: {
    status: 409,
    kind: 'transient',
    meaning: 'the block is not committed to a public chain yet',
    retryAfterSeconds: 60,
  },
  length_required: { status: 411, kind: 'terminal', meaning: 'a Content-Length is required' },
  request_too_large: { status: 413, kind: 'terminal', meaning: 'the request body is too large' },
  unsupported_media_type: {
    status: 415,
    kind: 'terminal',
    meaning: 'use application/vnd.api+json or application/json',
  },
  subject_not_recomputable: {
    status: 422,
    kind: 'terminal',
    meaning: 'what is stored no longer reproduces the committed hash',
  },
  not_expressible: {
    status: 422,
    kind: 'terminal',
    meaning: 'the proof of this item cannot be written in this format',
  },
  subject_type_mismatch: { status: 422, kind: 'terminal', meaning: 'the proof is one of another type' },
  rate_limited: { status: 429, kind: 'transient', meaning: 'too many requests' },
  request_header_fields_too_large: {
    status: 431,
    kind: 'terminal',
    meaning: 'request target and header fields together are too long',
  },
  internal: { status: 500, kind: 'transient', meaning: 'something went wrong on our side' },
  generation_failed: {
    status: 500,
    kind: 'terminal',
    meaning: 'the proof did not pass its own verification',
  },
  database_unavailable: {
    status: 503,
    kind: 'transient',
    meaning: 'the database does not answer; try again shortly',
    retryAfterSeconds: 2,
  },
  overloaded: {
    status: 503,
    kind: 'transient',
    meaning: 'too much is asked at once; try again shortly',
    retryAfterSeconds: 1,
  },
  shutting_down: {
    status: 503,
    kind: 'transient',
    meaning: 'this server is stopping; try again',
    retryAfterSeconds: 2,
  },
  master_key_changed: {
    status: 503,
    kind: 'transient',
    meaning:
      'the master key was changed, and this server must be restarted with the new one before it can do this; try again later',
    retryAfterSeconds: 30,
  },
  signing_unavailable: {
    status: 503,
    kind: 'transient',
    meaning: 'the proof cannot be signed just now',
    retryAfterSeconds: 10,
  },
  witness_unavailable: {
    status: 503,
    kind: 'transient',
    meaning: 'a witness that the subject commits to is not found',
    retryAfterSeconds: 30,
  },
  lookup_failed: {
    status: 503,
    kind: 'transient',
    meaning: 'a record that the proof is built from cannot be read just now',
    retryAfterSeconds: 2,
  },
  script_failed: {
    status: 422,
    kind: 'terminal',
    meaning: 'the script could not be read, threw an error, or returned what is no JSON',
  },
  script_limit: { status: 422, kind: 'terminal', meaning: 'the script reached a limit and was ended' },
  unknown_tool: { status: 404, kind: 'terminal', meaning: 'no such tool' },
  insufficient_scope: {
    status: 403,
    kind: 'terminal',
    meaning: 'the access token lacks a scope that this needs',
  },
  cancelled: {
    status: 503,
    kind: 'transient',
    meaning: 'the call was ended before it was done',
    retryAfterSeconds: 2,
  },
  foreign_origin: {
    status: 403,
    kind: 'terminal',
    meaning: 'requests from this origin, or for this host, are not answered here',
  },
  chain_replaced: {
    status: 409,
    kind: 'terminal',
    meaning: 'a beacon that was shown is no longer in the ledger; go on from the new head',
  },
  unknown_beacon: { status: 404, kind: 'terminal', meaning: 'no such beacon' },
  unknown_stream: { status: 400, kind: 'terminal', meaning: 'no such stream' },
} as const satisfies Record<string, Row>

export type RefusalCode = keyof typeof REFUSALS

/**
 * One entry of a refusal. `path` names a member of the input (`['claims', 'name']`), `parameter` names a query
 * parameter.
 */
export interface Problem {
  readonly code: RefusalCode
  readonly detail: string
  readonly path?: readonly string[]
  readonly parameter?: string
  readonly meta?: Readonly<Record<string, unknown>>
}

/**
 * When the same may go well, in whole seconds from 1: the problem's own `retry_after_ms`, or what the table says of its
 * code. Undefined for a mistake, and where the problem's own is null because it never will.
 */
export function retryAfterSeconds({ code, meta }: Pick<Problem, 'code' | 'meta'>): number | undefined {
  const row: Row = REFUSALS[code]
  const waitMs = meta?.retry_after_ms
  if (waitMs === null) return undefined
  return typeof waitMs === 'number' ? Math.max(1, Math.ceil(waitMs / 1_000)) : row.retryAfterSeconds
}

/** What is undefined is left out. */
export type ProblemParts = { readonly [Part in keyof Omit<Problem, 'code'>]?: Problem[Part] | undefined }

/** Thrown by verbs when the answer is no. Never used for a fault, which is an error of ours. */
export class Refusal extends Error {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    // No stack trace: it is of no use for an expected no, and collecting it is most of the cost of a refusal.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(problems.map(({ code, detail }) => `${code}: ${detail}`).join('; '))
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Refusal'
    this.problems = problems
  }

  /** The most serious status of all problems. */
  get status(): number {
    return statusOf(this.problems)
  }

  get code(): RefusalCode {
    return this.problems[0]?.code ?? 'internal'
  }
}

/**
 * Returns the most serious status. Uses a loop, because spreading many problems over call arguments would overflow
 * the stack.
 */
export const statusOf = (problems: readonly Pick<Problem, 'code'>[]): number =>
  problems.reduce((worst, { code }) => Math.max(worst, REFUSALS[code].status), 0)

export const problem = (
  code: RefusalCode,
  { detail, path, parameter, meta }: ProblemParts = {},
): Problem => ({
  code,
  detail: detail ?? REFUSALS[code].meaning,
  ...(path === undefined ? {} : { path: path.map(shortened) }),
  ...(parameter === undefined ? {} : { parameter: shortened(parameter) }),
  ...(meta === undefined ? {} : { meta }),
})

/** What is said of more than there may be, e.g. `takes at most 100 values`. */
export const noMoreThan = (takes: string, maximum: number, what: string, place: ProblemParts = {}) => ({
  ...place,
  detail: `${takes} at most ${maximum} ${what}`,
  meta: { maximum },
})

/** Maximum length of a client's name that a message repeats. */
const LONGEST_NAME = 200

const shortened = (name: string): string =>
  name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME).toWellFormed()}…`

/** `throw refuse('invalid_sort', { parameter: 'sort' })` */
export const refuse = (code: RefusalCode, parts: ProblemParts = {}): Refusal =>
  new Refusal([problem(code, parts)])

/** What was looked for. @throws not_found when there is none */
export function found<T>(one: T | undefined): T {
  if (one === undefined) throw refuse('not_found')
  return one
}

/** Throws one refusal with all problems. Returns when there are none. */
export function refuseAny(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new Refusal(problems)
}
