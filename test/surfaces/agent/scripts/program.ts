// Runs a program in a thread, with tools that the test answers.
import type { ScriptLimits } from '../../../../server/surfaces/agent/scripts/script_limits.ts'
import {
  runThread,
  type ThreadEnd,
  type ThreadOptions,
} from '../../../../server/surfaces/agent/scripts/script_thread.ts'

/** The time that programs are given. */
export const STARTED_AT_MS = Date.UTC(2030, 1, 2, 3, 4, 5, 6)

export interface Given {
  readonly limits?: Partial<ScriptLimits>
  readonly signal?: AbortSignal
  readonly turn?: ThreadOptions['turn']
  readonly used?: ThreadOptions['used']
  /** Called for each call. `echo` answers its arguments; everything else fails with `not_found`. */
  readonly onCall?: (tool: string, args: string) => Promise<void> | void
}

const NOT_FOUND = JSON.stringify({ errors: [{ code: 'not_found', detail: 'no such record', meta: {} }] })

export const runProgram = (source: string, given: Given = {}): Promise<ThreadEnd> =>
  runThread({
    source,
    tools: ['echo', 'fail'],
    now: () => STARTED_AT_MS,
    turn: given.turn ?? (async () => () => undefined),
    used: given.used ?? (() => undefined),
    signal: given.signal ?? new AbortController().signal,
    ...(given.limits === undefined ? {} : { limits: given.limits }),
    call: async ({ tool, args }) => {
      await given.onCall?.(tool, args)
      return tool === 'echo' ? { ok: true, text: args } : { ok: false, text: NOT_FOUND }
    },
  })

/** What the program returned. @throws with its end when it did not return */
export async function resultOf(source: string, given: Given = {}): Promise<unknown> {
  const { end } = await runProgram(source, given)
  if (end.kind !== 'returned') throw new Error(JSON.stringify(end))
  const result: unknown = JSON.parse(end.text)
  return result
}

export interface Description {
  readonly name?: string
  readonly message?: string
  readonly stack?: string
  readonly call?: number
  readonly unhandled?: boolean
}

/** What the program threw. @throws with its end when it did not throw */
export async function thrownBy(source: string, given: Given = {}): Promise<Description> {
  const { end } = await runProgram(source, given)
  if (end.kind !== 'threw') throw new Error(JSON.stringify(end))
  const thrown: Description = JSON.parse(end.text)
  return thrown
}
