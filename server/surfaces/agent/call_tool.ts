// Calls a tool: charge, scope, place, the tool itself, and one line in the log.
import { EventEmitter } from 'node:events'
import type { Caller } from '../../domain/accounts/caller.ts'
import { rateLimited } from '../../domain/limits/charge.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Lasting } from '../http/admission.ts'
import { problemsOf } from '../http/problem_of.ts'
import { failure } from './failure.ts'
import {
  type CallOptions,
  type CallTool,
  SCOPE_OF,
  type Tool,
  type ToolHouse,
  type ToolResult,
} from './tool.ts'

/** The first of two tools of one name would hide the other; the check of the catalog and a test refuse that. */
export function toolCaller(house: ToolHouse, tools: readonly Tool[]): CallTool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return async ({ caller }, name, args, options) => {
    const began = performance.now()
    const tool = byName.get(name)
    const lasting = new Call()
    let result: ToolResult
    try {
      await letIn(house, caller, options, lasting)
      if (tool === undefined) throw refuse('unknown_tool')
      requireToolScope(caller, tool)
      options.signal.throwIfAborted()
      const { signal, progress = () => undefined } = options
      result = await tool.run({ house, caller, args, signal, progress, lasting })
    } catch (error) {
      // Nobody waits for this result. What was thrown because of that is no fault.
      if (options.signal.aborted) result = failure(problemsOf(refuse('cancelled'), house.log))
      else result = failure(problemsOf(error, house.log))
    } finally {
      lasting.end()
    }
    note(house, caller, tool, result, performance.now() - began)
    return result
  }
}

/** A call inside a request has a charge and a place of its own. @throws rate_limited, overloaded */
async function letIn(
  { door, admission }: ToolHouse,
  caller: Caller,
  { entered }: CallOptions,
  lasting: Lasting,
): Promise<void> {
  const charge = entered ?? (await door.call(caller))
  if (!charge.allowed) throw rateLimited(charge)
  if (entered === undefined) admission.admit(lasting, caller.userId)
}

/** `/mcp` checks it before the call as well, and answers there so that clients ask for the scope. */
function requireToolScope({ scopes }: Caller, { access }: Tool): void {
  const scope = SCOPE_OF[access]
  if (!scopes.has(scope)) throw refuse('insufficient_scope', { meta: { scope } })
}

/** `name` comes from the client, so the line has the names of known tools only. */
function note(
  { log, metrics }: ToolHouse,
  { userId, credential }: Caller,
  tool: Tool | undefined,
  result: ToolResult,
  ms: number,
): void {
  const codes = result.failed ? result.codes : []
  const outcome = !result.failed ? 'done' : codes.includes('internal') ? 'fault' : 'refused'
  const name = tool?.name ?? 'unknown'
  metrics.count('pharos_tool_calls_total', { tool: name, outcome })
  const client_id = credential.kind === 'access_token' ? credential.clientId : undefined
  log.info(
    { tool: name, outcome, codes, user_id: userId, client_id, duration_ms: Math.round(ms * 10) / 10 },
    'tool.called',
  )
}

/** Turns and places that the call takes end with it. */
class Call extends EventEmitter implements Lasting {
  closed = false

  end(): void {
    this.closed = true
    this.emit('close')
  }
}
