// What every surface does with a refusal or a fault, whatever its body looks like: status, header fields, log line.
import type Koa from 'koa'
import type { Log } from '../../kernel/log.ts'
import { type AnsweredProblem, problemsOf, retryAfterHeader, statusOf } from './problem_of.ts'
import { leavesBodyUnread } from './read_body.ts'

/** Returns the problems, for the body. */
export function refuseWith(ctx: Koa.Context, error: unknown, log: Log): readonly AnsweredProblem[] {
  const problems = problemsOf(error, log)
  ctx.status = statusOf(problems)
  ctx.state.answered = {
    ...ctx.state.answered,
    codes: problems.map(({ code }) => code),
    error_id: problems[0]?.id,
  }
  if (leavesBodyUnread(ctx.status)) ctx.set('Connection', 'close')
  // The budgets of the door have set it where they charge. Those of an operation are told in the body alone.
  ctx.set(retryAfterHeader(problems.filter(({ code }) => code !== 'rate_limited')))
  return problems
}
