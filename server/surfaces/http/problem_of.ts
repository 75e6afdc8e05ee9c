// Converts any thrown value to problems for the client. Details of our own faults go only to the log.
import type { Log } from '../../kernel/log.ts'
import { gravest, type Problem, problem, REFUSALS, Refusal, retryAfterSeconds } from '../../kernel/refusal.ts'
import { errorId } from '../../kernel/request_scope.ts'
import { isDatabaseHeldUp } from '../../store/database_errors.ts'

export interface AnsweredProblem extends Problem {
  /** A UUID that the log contains too. The first problem of a request has the request's own id. */
  readonly id: string
  readonly status: number
}

/** Returns the problems; the most serious one decides the status of the answer. Logs each fault once. */
export function problemsOf(error: unknown, log: Log): readonly AnsweredProblem[] {
  const answered = problemsIn(error).map((one) => ({
    ...one,
    id: errorId(),
    status: REFUSALS[one.code].status,
  }))
  if (!(error instanceof Refusal)) {
    const level = answered.some(({ code }) => code === 'internal') ? 'error' : 'warn'
    log[level]({ err: error, error_id: answered[0]?.id }, 'request.fault')
  }
  return answered
}

/** The HTTP status of an answer with these problems. */
export const statusOf = (problems: readonly AnsweredProblem[]): number =>
  gravest(problems.map(({ status }) => status))

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
