// The calls of one script: judged, charged, scoped and logged like calls that its caller makes directly.
import { isJsonObject, type JsonObject } from '../../../../shared/proof/json_value.ts'
import { StrictJsonError } from '../../../../shared/proof/strict_json.ts'
import { validCredentials } from '../../../domain/accounts/caller.ts'
import { type Refusal, refuse } from '../../../kernel/refusal.ts'
import { problemsOf } from '../../http/error_document.ts'
import { invalidJson, readRequestJson } from '../../http/read_body.ts'
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
    const refused = (refusal: Refusal): ToolResult => failure(problemsOf(refusal, house.log))
    let args: JsonObject
    try {
      args = readArguments(text)
    } catch (error) {
      if (error instanceof StrictJsonError) return refused(invalidJson(error))
      throw error
    }
    const valid = await validCredentials(house.store.em('write'), [caller.credential])
    if (!valid.has(caller.credential.id)) {
      revoked.abort()
      return refused(refuse('unauthorized'))
    }
    const result = await callTool(caller, tool, args, { signal })
    return result.json.bytes <= SCRIPT_LIMITS.answer_bytes ? result : refused(tooLarge())
  }

  return Object.freeze({
    answer: async ({ id, tool, args }: Parameters<AnswerCall>[0], signal: AbortSignal) => {
      const result = await resultOf(tool, args, signal)
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

/** Anything but an object becomes an object without members, of which the tool says what is missing. */
function readArguments(text: string): JsonObject {
  const value = readRequestJson(text)
  return isJsonObject(value) ? value : {}
}

const tooLarge = (): Refusal =>
  refuse('response_too_large', { meta: { maximum: SCRIPT_LIMITS.answer_bytes, unit: 'bytes' } })
