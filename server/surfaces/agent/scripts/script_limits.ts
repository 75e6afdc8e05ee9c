// All limits of one agent script, in one table.

export const SCRIPT_LIMITS = {
  /** UTF-8 bytes of the program. */
  source_bytes: 65_536,
  /** Everything the program holds, in a WebAssembly memory of its own. */
  memory_bytes: 64 * 1_048_576,
  /** The stack of the program’s functions, a part of the memory. Some thousand calls deep. */
  stack_bytes: 262_144,
  /** Milliseconds from the start to the end, waiting included, but not the waiting for a turn to compute. */
  wall_ms: 10_000,
  /** Milliseconds of a processor. Calls of tools do not count; they have budgets of their own. */
  cpu_ms: 2_000,
  calls: 100,
  /** Calls that run at once. More wait inside the script. */
  calls_at_once: 8,
  /** UTF-8 bytes of one call’s arguments as JSON, as much as a request may have. */
  argument_bytes: 528_384,
  /** UTF-8 bytes of all arguments that wait or run. */
  waiting_bytes: 4 * 1_048_576,
  /** UTF-8 bytes of one call’s result as JSON. */
  answer_bytes: 1_048_576,
  /** UTF-8 bytes of the result as JSON and of all printed lines. */
  output_bytes: 262_144,
  lines: 1_000,
  /** Calls of sleep() that have not ended. */
  sleeps: 100,
} as const

export type ScriptLimit = keyof typeof SCRIPT_LIMITS

export type ScriptLimits = Readonly<Record<ScriptLimit, number>>
