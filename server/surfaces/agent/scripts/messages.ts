// What the server and the thread of a script say to each other. Values of the program cross as JSON text only.
import type { ScriptLimit, ScriptLimits } from './script_limits.ts'

/** Given to the thread when it starts. */
export interface ScriptOrder {
  readonly module: WebAssembly.Module
  readonly source: string
  readonly tools: readonly string[]
  readonly limits: ScriptLimits
  /** The database’s time at the start, in unix milliseconds. */
  readonly startedAtMs: number
  /** One number in shared memory: the slices that the program was given after its first. */
  readonly slices: Int32Array
}

export type FromScript =
  /** The program begins. `cpuMs` is what the thread used until then. */
  | { readonly kind: 'begins'; readonly cpuMs: number }
  | { readonly kind: 'call'; readonly id: number; readonly tool: string; readonly args: string }
  | { readonly kind: 'sleep'; readonly id: number; readonly ms: number }
  | { readonly kind: 'line'; readonly text: string }
  /** Its slice is over, and it stands still until it is given another one. */
  | { readonly kind: 'pauses'; readonly cpuMs: number }
  /** It computes no more until something happens that it waits for. */
  | { readonly kind: 'rests'; readonly cpuMs: number }
  | { readonly kind: 'ended'; readonly end: ScriptEnd; readonly cpuMs: number }

/** Everything that has happened since it rested. */
export type ToScript = readonly SettledCall[]

/**
 * The answer to a call: the JSON text of the tool’s result, or of its failure, which has `errors`. Of a sleep that is
 * over `null`.
 */
export interface SettledCall {
  readonly id: number
  readonly ok: boolean
  readonly text: string
}

export type ScriptEnd =
  | { readonly kind: 'returned'; readonly text: string }
  | { readonly kind: 'threw'; readonly text: string }
  | { readonly kind: 'limit'; readonly limit: ScriptLimit }
  /** It waits for something that cannot happen any more. */
  | { readonly kind: 'stuck' }

/** What was thrown, as the prelude describes it. Strings are cut. */
export interface Thrown {
  readonly name?: string
  readonly message?: string
  readonly stack?: string
  /** The call whose failure it is. */
  readonly call?: number
  /** True when nothing waited for the answer of that call. */
  readonly unhandled?: boolean
}
