// Whatever was thrown, as the problems a client is told; a fault of ours keeps its details for the log.
import { newUuid7 } from '../../kernel/identifiers.ts'
import type { Log } from '../../kernel/log.ts'
import { gravest, type Problem, problem, REFUSALS, Refusal, retryAfterSeconds } from '../../kernel/refusal.ts'
import { isDatabaseHeldUp } from '../../store/database_faults.ts'

export interface AnsweredProblem extends Problem {
  /** A UUID that is also in the log. */
  readonly id: string
  readonly status: number
}

/** The problems, the gravest status deciding that of the answer. Faults are logged here, once. */
export function problemsOf(error: unknown, log: Log): readonly AnsweredProblem[] {
  const answered = toldAs(error).map((one) => ({ ...one, id: newUuid7(), status: REFUSALS[one.code].status }))
  if (!(error instanceof Refusal)) {
    const level = answered.some(({ code }) => code === 'internal') ? 'error' : 'warn'
    log[level]({ err: error, error_id: answered[0]?.id }, 'request.fault')
  }
  return answered
}

export const statusOf = (problems: readonly AnsweredProblem[]): number =>
  gravest(problems.map(({ status }) => status))

/** The header of an answer whose refusal passes by itself. Budgets set theirs where they are charged, if at all. */
export function retryAfterHeader(problems: readonly AnsweredProblem[]): Record<string, string> {
  const longest = problems.reduce((wait, { code }) => Math.max(wait, retryAfterSeconds(code) ?? 0), 0)
  return longest === 0 ? {} : { 'Retry-After': String(longest) }
}

function toldAs(error: unknown): readonly Problem[] {
  if (error instanceof Refusal) return error.problems
  // Away, or too busy: a write that waited in vain for a lock, or a read that always is cheap.
  if (isDatabaseHeldUp(error)) return [problem('database_unavailable')]
  return [problem('internal')]
}
