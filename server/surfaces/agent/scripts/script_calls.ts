// The calls of one script: judged, charged, scoped and logged like calls that its caller makes directly.
import { isJsonObject } from '../../../../shared/proof/json_value.ts'
import { validCredentials } from '../../../domain/accounts/caller.ts'
import { Refusal, refuse } from '../../../kernel/refusal.ts'
import { problemsOf } from '../../http/error_document.ts'
import { readJson } from '../../http/read_body.ts'
import { type CallTool, failure, type ToolCall, type ToolResult } from '../tool.ts'
import { SCRIPT_LIMITS } from './script_limits.ts'
import type { AnswerCall } from './script_thread.ts'

/**
 * @param callTool calls every tool but the one that runs scripts
 * @param revoked aborted once the caller’s credential was revoked or has expired: the script must end, because its
 * caller may not call anything any more
 */
export function scriptCalls(
  { house, caller, progress }: ToolCall,
  callTool: CallTool,
  revoked: AbortController,
) {
  /** What the tools answered. */
  const failed = new Map<number, { readonly tool: string; readonly failure: unknown }>()
  let answered = 0

  const resultOf = async (tool: string, text: string, signal: AbortSignal): Promise<ToolResult> => {
    const args = readJson(text)
    const valid = await validCredentials(house.store.em('write'), [caller.credential])
    if (!valid.has(caller.credential.id)) {
      revoked.abort()
      throw refuse('unauthorized')
    }
    // Anything but an object becomes an object without members, of which the tool says what is missing.
    const result = await callTool(caller, tool, isJsonObject(args) ? args : {}, { signal })
    const maximum = SCRIPT_LIMITS.answer_bytes
    if (result.json.bytes <= maximum) return result
    throw refuse('response_too_large', { meta: { maximum, unit: 'bytes' } })
  }

  return Object.freeze({
    answer: async ({ id, tool, args }: Parameters<AnswerCall>[0], signal: AbortSignal) => {
      const result = await resultOf(tool, args, signal).catch((error: unknown) => {
        if (error instanceof Refusal) return failure(problemsOf(error, house.log))
        throw error
      })
      const text = result.json.parts.join('')
      if (result.failed) failed.set(id, { tool, failure: JSON.parse(text) })
      answered += 1
      progress({ progress: answered, message: `${tool} ${result.failed ? 'failed' : 'answered'}` })
      return { ok: !result.failed, text }
    },
    /** How the call of this id failed. */
    failureOf: (id: number) => failed.get(id),
  })
}
