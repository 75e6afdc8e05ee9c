// Calls a tool: charge, scope, place, the tool itself, and one line in the log.
import { EventEmitter } from 'node:events'
import type { Caller } from '../../domain/accounts/caller.ts'
import { rateLimited } from '../../domain/limits/charge.ts'
import type { Lasting } from '../../kernel/flow/fair_gate.ts'
import { refuse } from '../../kernel/refusal.ts'
import { problemsOf } from '../http/error_document.ts'
import { credentialFields } from '../http/identify.ts'
import { failure } from './failure.ts'
import {
  type CallOptions,
  type CallTool,
  SCOPE_OF,
  type Tool,
  type ToolCall,
  type ToolHouse,
  type ToolResult,
} from './tool.ts'

/** Tests make sure that no two tools have one name. */
export function toolCaller(house: ToolHouse, tools: readonly Tool[]): CallTool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return async ({ caller }, name, args, options) => {
    const began = performance.now()
    const tool = byName.get(name)
    const { signal, progress = () => undefined } = options
    const call: Omit<ToolCall, 'lasting'> = { house, caller, args, signal, progress }
    const result = await judgedRun(tool, call, options)
    note(house, caller, tool, result, performance.now() - began)
    return result
  }
}

async function judgedRun(
  tool: Tool | undefined,
  call: Omit<ToolCall, 'lasting'>,
  { entered, signal }: CallOptions,
): Promise<ToolResult> {
  const { house, caller } = call
  const own = new Lasted()
  const lasting = entered?.answer ?? own
  try {
    const charge = entered?.charge ?? (await house.door.call(caller))
    if (!charge.allowed) throw rateLimited(charge)
    if (tool === undefined) throw refuse('unknown_tool')
    requireToolScope(caller, tool)
    if (entered === undefined) house.admission.admit(own, caller.userId)
    const work = tool.run({ ...call, lasting })
    work.then(own.end, (error: unknown) => {
      own.end()
      // Nobody waits for this answer any more, but a fault of ours belongs in the log.
      if (signal.aborted && error !== signal.reason) problemsOf(error, house.log)
    })
    return await within(signal, work)
  } catch (error) {
    own.end()
    return failure(problemsOf(signal.aborted ? refuse('cancelled') : error, house.log))
  }
}

/** Ends with the signal, also when the work does not heed it. @throws the signal's reason */
async function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = Promise.withResolvers<never>()
  const end = (): void => ended.reject(signal.reason)
  signal.addEventListener('abort', end)
  try {
    signal.throwIfAborted()
    return await Promise.race([work, ended.promise])
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** `/mcp` checks it before as well, and answers there so that clients ask for the scope. */
function requireToolScope({ scopes }: Caller, { access }: Tool): void {
  const scope = SCOPE_OF[access]
  if (!scopes.has(scope)) throw refuse('insufficient_scope', { meta: { scope } })
}

/** Names come from the client, so only those of tools are noted. */
function note(
  { log, metrics }: ToolHouse,
  caller: Caller,
  tool: Tool | undefined,
  result: ToolResult,
  ms: number,
): void {
  const codes = result.failed ? result.codes : []
  const outcome = !result.failed ? 'done' : codes.includes('internal') ? 'fault' : 'refused'
  const name = tool?.name ?? 'unknown'
  metrics.count('pharos_tool_calls_total', { tool: name, outcome })
  metrics.observe('pharos_tool_call_seconds', { tool: name }, ms / 1_000)
  log.info(
    {
      tool: name,
      outcome,
      codes,
      user_id: caller.userId,
      ...credentialFields(caller),
      duration_ms: Math.round(ms * 10) / 10,
    },
    'tool.called',
  )
}

/** A call as long as it lasts. */
class Lasted extends EventEmitter implements Lasting {
  closed = false

  readonly end = (): void => {
    if (this.closed) return
    this.closed = true
    this.emit('close')
  }
}
