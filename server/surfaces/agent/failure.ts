// A failure of a call: every problem with its code, as the text of the result. What is refused before a tool is
// reached is a JSON-RPC error (JSON-RPC 2.0 section 5.1).
import { errorObject } from '../../contract/error_object.ts'
import { JsonParts } from '../../kernel/json_text.ts'
import { type RefusalCode, retryAfterSeconds } from '../../kernel/refusal.ts'
import type { AnsweredProblem } from '../http/error_document.ts'
import type { ToolResult } from './tool.ts'

/**
 * The entries of JSON:API, with pointers into the arguments: `/claims/name`, `/filter/state`. The wait that HTTP tells
 * in a header stands in `meta`.
 */
const errorsOf = (problems: readonly AnsweredProblem[]) =>
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

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
/** Servers may define errors from here to -32000. */
const REFUSED = -32_000

const NUMBERS: Partial<Record<RefusalCode, number>> = {
  invalid_json: PARSE_ERROR,
  invalid_body: INVALID_REQUEST,
}

/** The id is null, because the message was not read, or is none. `data` has the entries that JSON:API would answer. */
export const rpcErrors = (problems: readonly AnsweredProblem[]) => ({
  jsonrpc: '2.0',
  id: null,
  error: {
    code: NUMBERS[problems[0]?.code ?? 'internal'] ?? REFUSED,
    message: problems.map(({ code, detail }) => `${code}: ${detail}`).join('; '),
    data: { errors: errorsOf(problems) },
  },
})
