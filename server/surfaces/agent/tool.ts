// A tool of the agent server, and one call of it. `/mcp` and scripts call the same tools.
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import type { Door } from '../../admission/door.ts'
import type { Admission } from '../../admission/turns.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Progress, Services } from '../../catalog/context.ts'
import type { CursorCodec } from '../../contract/keyset.ts'
import type { JsonSchema } from '../../contract/kind.ts'
import type { Caller } from '../../domain/accounts/caller.ts'
import type { Charge } from '../../domain/limits/charge.ts'
import type { Lasting } from '../../kernel/flow/fair_gate.ts'
import type { JsonParts } from '../../kernel/json_text.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Store } from '../../store/open_store.ts'

/** What all calls share. */
export interface ToolHouse {
  readonly store: Store
  readonly services: Services
  readonly related: Catalog['related']
  readonly cursors: CursorCodec
  /** The budgets of JSON:API. */
  readonly door: Pick<Door, 'call' | 'work'>
  readonly admission: Admission
  readonly metrics: Metrics
  readonly log: Log
}

/** For whom tools are called. Nothing of it outlives the request, so that any server can take the next one. */
interface ToolSession {
  readonly caller: Caller
}

/** A request that was let in: what it was charged, and its answer, with which the turns of the call end. */
export interface Entered {
  readonly charge: Charge
  readonly answer: Lasting
}

export interface CallOptions {
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
  session: ToolSession,
  name: string,
  args: JsonObject,
  options: CallOptions,
) => Promise<ToolResult>

/** One call, as the tool sees it. */
export interface ToolCall extends ToolSession {
  readonly house: ToolHouse
  readonly args: JsonObject
  readonly signal: AbortSignal
  readonly progress: (progress: Progress) => void
  /** Turns that the tool takes end with it. It ends when the call is over, or when its result was sent. */
  readonly lasting: Lasting
}

/** Hints of MCP for those who decide whether a person must agree first. */
export interface ToolAnnotations {
  readonly title: string
  readonly readOnlyHint: boolean
  /** False when nothing that exists is changed or removed. */
  readonly destructiveHint: boolean
  /** True when repeating the call changes nothing more. */
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly access: 'read' | 'write'
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
  readonly annotations: ToolAnnotations
  /** Returns the result, an object. @throws Refusal */
  readonly run: (call: ToolCall) => Promise<ToolResult>
}

/** The scopes of the resource `mcp`. */
export const SCOPE_OF = { read: 'mcp:read', write: 'mcp:write' } as const
