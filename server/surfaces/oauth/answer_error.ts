// Answers errors of the endpoints that programs call, in the form of RFC 6749 section 5.2.
import type Koa from 'koa'
import type { Log } from '../../kernel/log.ts'
import { type AnsweredProblem, problemsOf, retryAfterHeader, statusOf } from '../http/problem_of.ts'

/** A refusal that is not about OAuth: too many requests, a body that is too large, a database that is away. */
export function answerOauthError(ctx: Koa.Context, error: unknown, log: Log): void {
  const problems = problemsOf(error, log)
  const [first] = problems
  ctx.status = statusOf(problems)
  ctx.set(retryAfterHeader(problems))
  ctx.state.answered = { ...ctx.state.answered, codes: problems.map(({ code }) => code), error_id: first?.id }
  answerJson(ctx, { error: errorCode(first), error_description: first?.detail })
}

export function answerJson(ctx: Koa.Context, body: object): void {
  ctx.set('Cache-Control', 'no-store')
  ctx.body = JSON.stringify(body)
  ctx.set('Content-Type', 'application/json')
}

function errorCode(problem: AnsweredProblem | undefined): string {
  if (problem === undefined || problem.code === 'internal') return 'server_error'
  return problem.status === 429 || problem.status >= 500 ? 'temporarily_unavailable' : 'invalid_request'
}
