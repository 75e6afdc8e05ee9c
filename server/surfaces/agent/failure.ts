// A failure of a call: every problem with its code, as the text of the result.
import { errorObject } from '../../contract/error_object.ts'
import { JsonParts } from '../../kernel/json_parts.ts'
import { retryAfterSeconds } from '../../kernel/refusal.ts'
import type { AnsweredProblem } from '../http/problem_of.ts'
import type { ToolResult } from './tool.ts'

/**
 * The entries of JSON:API, with pointers into the arguments: `/claims/name`, `/filter/state`. The wait that HTTP tells
 * in a header stands in `meta`.
 */
export const errorsOf = (problems: readonly AnsweredProblem[]) =>
  problems.map(({ parameter, ...problem }) => {
    const path = problem.path ?? (parameter === undefined ? undefined : pathOf(parameter))
    const wait = retryAfterSeconds(problem)
    const meta = { ...(wait === undefined ? {} : { retry_after_ms: wait * 1_000 }), ...problem.meta }
    return errorObject({ ...problem, meta, ...(path === undefined ? {} : { path }) }, '')
  })

export const failure = (problems: readonly AnsweredProblem[]): ToolResult => ({
  json: new JsonParts([JSON.stringify({ errors: errorsOf(problems) })]),
  failed: true,
  codes: problems.map(({ code }) => code),
})

/** The parts that the surfaces share name query parameters: `filter[state][lt]`, `page[after]`. */
const pathOf = (parameter: string): readonly string[] => {
  const [first = '', ...rest] = parameter.split('[').map((name) => name.replace(/\]$/, ''))
  return first === 'page' ? rest : [first, ...rest]
}
