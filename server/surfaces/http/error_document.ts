// What an error answer says: the problem of any error, its JSON:API document, and what is told where a body cannot be
// trusted.
import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { errorObject } from '../../contract/error_object.ts'
import type { Log } from '../../kernel/log.ts'
import { type Problem, problem, Refusal, refuse, retryAfterSeconds, statusOf } from '../../kernel/refusal.ts'
import { errorId } from '../../kernel/request_scope.ts'
import { isDatabaseHeldUp } from '../../store/database_errors.ts'
import { noteAnswered } from './identify.ts'
import { leavesBodyUnread } from './read_body.ts'

/** `id` is a UUID that the log contains too. The first problem of a request has the request's own id. */
export type AnsweredProblem = Problem & { readonly id: string }

/** Returns the problems; the most serious one decides the status of the answer. Logs each fault once. */
export function problemsOf(error: unknown, log: Log): readonly AnsweredProblem[] {
  const answered = problemsIn(error).map((one) => ({ ...one, id: errorId() }))
  if (!(error instanceof Refusal)) {
    const level = answered.some(({ code }) => code === 'internal') ? 'error' : 'warn'
    log[level]({ err: error, error_id: answered[0]?.id }, 'request.fault')
  }
  return answered
}

/** The header of an answer whose refusal ends by itself. */
export function retryAfterHeader(
  problems: readonly Pick<Problem, 'code' | 'meta'>[],
): Record<string, string> {
  const longest = problems.reduce((wait, one) => Math.max(wait, retryAfterSeconds(one) ?? 0), 0)
  return longest === 0 ? {} : { 'Retry-After': String(longest) }
}

function problemsIn(error: unknown): readonly Problem[] {
  if (error instanceof Refusal) return error.problems
  // The database is unavailable or too busy: a write waited too long for a lock, or a cheap read timed out.
  if (isDatabaseHeldUp(error)) return [problem('database_unavailable')]
  return [problem('internal')]
}

/** The media type of all our documents. It has no charset parameter. */
export const JSON_API = 'application/vnd.api+json'

/**
 * @param pointerRoot the pointer that a problem's path is relative to: `/data/attributes`, or `/data` for an action
 */
export const errorDocument = (problems: readonly AnsweredProblem[], pointerRoot: string) => ({
  jsonapi: { version: '1.1' },
  errors: problems.map((problem) => errorObject(problem, pointerRoot)),
})

/** Returns the problems, for the body. */
export function refuseWith(ctx: Koa.Context, error: unknown, log: Log): readonly AnsweredProblem[] {
  const problems = problemsOf(error, log)
  ctx.status = statusOf(problems)
  noteAnswered(ctx, { codes: problems.map(({ code }) => code), error_id: problems[0]?.id })
  if (leavesBodyUnread(ctx.status)) ctx.set('Connection', 'close')
  // The budgets of the door have set it where they charge. Those of an operation are told in the body alone.
  ctx.set(retryAfterHeader(problems.filter(({ code }) => code !== 'rate_limited')))
  return problems
}

/** A refusal of the method, which tells those that are taken here. @throws method_not_allowed */
export function refuseMethod(ctx: Koa.Context, taken: string, detail?: string): never {
  ctx.set('Allow', taken)
  throw refuse('method_not_allowed', { detail })
}

/**
 * Refuses a request without a Host header, or with two: a proxy may have read the other one. Needs the server option
 * `requireHostHeader: false`.
 * @throws malformed_request
 */
export const requireHost: Middleware = (ctx, next) => {
  const hosts = hostsOf(ctx.req)
  if (hosts === 1 || (hosts === 0 && ctx.req.httpVersion === '1.0')) return next()
  ctx.set('Connection', 'close')
  throw refuse('malformed_request')
}

/** Node's own record of the fields keeps the first Host alone. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}
