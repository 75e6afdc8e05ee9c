// What is refused before a tool is reached, as a JSON-RPC error (JSON-RPC 2.0 section 5.1).
import type { RefusalCode } from '../../kernel/refusal.ts'
import type { AnsweredProblem } from '../http/problem_of.ts'
import { errorsOf } from './failure.ts'

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
