// A tool of the agent server, and one call of it: charge, scope, place, the tool itself, and one line in the log. `/mcp`
// and scripts call the same tools. A failure of a call is the text of its result. What is refused before a tool is reached
// is a JSON-RPC error (JSON-RPC 2.0 section 5.1).
import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import type { Door } from '../../admission/door.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Progress, Services } from '../../catalog/context.ts'
import { errorObject, parameterPath } from '../../contract/error_object.ts'
import type { CursorCodec } from '../../contract/keyset.ts'
import type { JsonSchema } from '../../contract/kind.ts'
import type { Caller } from '../../domain/accounts/caller.ts'
import { type Charge, rateLimited } from '../../domain/limits/charge.ts'
import { Endable, type Lasting } from '../../kernel/flow/lasting.ts'
import { JsonParts } from '../../kernel/json_text.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { type RefusalCode, refuse, retryAfterSeconds } from '../../kernel/refusal.ts'
import { type AnsweredProblem, problemsOf } from '../http/error_document.ts'
import type { House } from '../http/house.ts'
import { callerFields } from '../http/identify.ts'

/** What all calls share. */
export interface ToolHouse extends House {
  readonly services: Services
  readonly related: Catalog['related']
  readonly cursors: CursorCodec
  /** The budgets of JSON:API. */
  readonly door: Door
  readonly metrics: Metrics
  readonly log: Log
}

/** A request that was let in: what it was charged, and its answer, with which the turns of the call end. */
export interface Entered {
  readonly charge: Charge
  readonly answer: Lasting
}

interface CallOptions {
  /** Aborted when nobody waits for the result any more. Long work ends then. */
  readonly signal: AbortSignal
  readonly progress?: ((progress: Progress) => void) | undefined
  /** The request that is this one call. Without it, the call is charged and counted as a request of its own. */
  readonly entered?: Entered | undefined
}

/** Result and failure are the JSON text of an object. A failure has the codes that its text names. */
export type ToolResult =
  | { readonly json: JsonParts; readonly failed: false }
  | { readonly json: JsonParts; readonly failed: true; readonly codes: readonly string[] }

/**
 * Calls a tool as if its operation were requested from the API: the same charges, turns, judgement and refusals. It
 * does not throw: a fault of ours is a failure with the code `internal`.
 */
export type CallTool = (
  caller: Caller,
  name: string,
  args: JsonObject,
  options: CallOptions,
) => Promise<ToolResult>

/** One call, as the tool sees it. */
export interface ToolCall {
  readonly house: ToolHouse
  readonly caller: Caller
  readonly args: JsonObject
  readonly signal: AbortSignal
  readonly progress: (progress: Progress) => void
  /** Turns that the tool takes end with it. It ends when the call is over, or when its result was sent. */
  readonly lasting: Lasting
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly access: 'read' | 'write'
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  /** Hints for those who decide whether a person must agree first. */
  readonly annotations: Required<ToolAnnotations>
  /** Returns the result, an object. @throws Refusal */
  readonly run: (call: ToolCall) => Promise<ToolResult>
}

/** The scopes of the resource `mcp`. */
export const SCOPE_OF = { read: 'mcp:read', write: 'mcp:write' } as const

/** Tests make sure that no two tools have one name. */
export function toolCaller(house: ToolHouse, tools: readonly Tool[]): CallTool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return async (caller, name, args, options) => {
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
  const own = new Endable()
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
      ...callerFields(caller),
      duration_ms: Math.round(ms * 10) / 10,
    },
    'tool.called',
  )
}

/**
 * The entries of JSON:API, with pointers into the arguments: `/claims/name`, `/filter/state`. The wait that HTTP tells
 * in a header stands in `meta`.
 */
const errorsOf = (problems: readonly AnsweredProblem[]) =>
  problems.map(({ parameter, ...problem }) => {
    const path = problem.path ?? (parameter === undefined ? undefined : parameterPath(parameter))
    const wait = retryAfterSeconds(problem)
    const meta = { ...(wait === undefined ? {} : { retry_after_ms: wait * 1_000 }), ...problem.meta }
    return errorObject({ ...problem, meta, ...(path === undefined ? {} : { path }) }, '')
  })

export const failure = (problems: readonly AnsweredProblem[]): ToolResult => ({
  json: new JsonParts([JSON.stringify({ errors: errorsOf(problems) })]),
  failed: true,
  codes: problems.map(({ code }) => code),
})

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
