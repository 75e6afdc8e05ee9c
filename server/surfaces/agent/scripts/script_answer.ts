// What run_script answers: the result of a program, or why there is none.
import { StrictJsonError } from '../../../../shared/proof/strict_json_error.ts'
import { JsonParts } from '../../../kernel/json_text.ts'
import { type Refusal, refuse } from '../../../kernel/refusal.ts'
import { readRequestJson } from '../../http/read_body.ts'
import type { ToolResult } from '../tool.ts'
import type { Thrown } from './messages.ts'
import type { ScriptCalls } from './script_calls.ts'
import { SCRIPT_LIMITS } from './script_limits.ts'
import type { ThreadEnd } from './script_thread.ts'

/** @throws script_failed, script_limit */
export function answerOf(ended: ThreadEnd, calls: ScriptCalls): ToolResult {
  const { end } = ended
  const about = {
    lines: readLines(ended.lines),
    calls: ended.calls,
    cpu_ms: ended.cpuMs,
    wall_ms: ended.wallMs,
  }
  switch (end.kind) {
    case 'returned': {
      const wrong = whyNot(end.text)
      if (wrong !== undefined)
        throw refuse('script_failed', {
          detail: `what the script returned is not accepted: ${wrong}`,
          meta: about,
        })
      // The text was checked, and every digit of it stays as the program wrote it.
      const members = JSON.stringify(about).slice(1)
      return { json: new JsonParts([`{"result":${end.text},${members}`]), failed: false }
    }
    case 'threw':
      throw thrown(JSON.parse(end.text), calls, about)
    case 'limit':
      throw refuse('script_limit', {
        detail: `the script was ended: its ${end.limit} are at most ${SCRIPT_LIMITS[end.limit]}`,
        meta: { limit: end.limit, maximum: SCRIPT_LIMITS[end.limit], ...about },
      })
    case 'stuck':
      throw refuse('script_failed', {
        detail: 'the script waits for a promise that nothing settles',
        meta: about,
      })
    case 'aborted':
      throw refuse('cancelled')
    default:
      return end satisfies never
  }
}

/** Says with the name, message and line of the error what went wrong, and with the failure of the tool why. */
function thrown(
  { name, message, stack, call, unhandled }: Thrown,
  calls: ScriptCalls,
  about: object,
): Refusal {
  const line = lineOf(stack)
  const failed = call === undefined ? undefined : calls.failureOf(call)
  const what = [name, message].filter((part) => part !== undefined && part !== '').join(': ')
  const detail = [
    what === '' ? 'the script failed' : what,
    ...(line === undefined ? [] : [`in line ${line}`]),
    ...(unhandled === true ? ['nothing waited for this call'] : []),
  ].join('; ')
  return refuse('script_failed', {
    detail: detail.toWellFormed(),
    meta: {
      ...(name === undefined ? {} : { name: name.toWellFormed() }),
      ...(message === undefined ? {} : { message: message.toWellFormed() }),
      ...(line === undefined ? {} : { line }),
      ...(failed === undefined ? {} : { failed_call: failed }),
      ...about,
    },
  })
}

/** The topmost place in the program. */
function lineOf(stack: string | undefined): number | undefined {
  const [, line] = /\(?script\.js:(\d+)/.exec(stack ?? '') ?? []
  return line === undefined ? undefined : Number(line)
}

/** Each line crossed as the JSON text of a string. */
const readLines = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((text) => {
    const line: unknown = JSON.parse(text)
    return typeof line === 'string' ? [line.toWellFormed()] : []
  })

function whyNot(text: string): string | undefined {
  try {
    readRequestJson(text)
    return undefined
  } catch (error) {
    if (error instanceof StrictJsonError) return error.reason
    throw error
  }
}
