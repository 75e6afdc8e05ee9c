// QuickJS for one script: a WebAssembly instance with a memory of its own, and the globals that the prelude makes.
import { randomFillSync } from 'node:crypto'
import base from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import { type Outside, prelude } from './prelude.ts'
import type { ScriptLimits } from './script_limits.ts'

interface EngineOptions {
  readonly module: WebAssembly.Module
  readonly tools: readonly string[]
  readonly limits: ScriptLimits
  readonly outside: Omit<Outside, 'random'>
  /** Asked again and again while code runs. True stops it. */
  readonly mustStop: () => boolean
}

const PAGE_BYTES = 65_536
/** What the module needs from the start. */
const FIRST_PAGES = 256
/** The memory grows in steps of up to a fifth. A step that does not fit is not taken. */
const FULL = 0.8
/** Jobs of promises between two looks at the limits. */
const JOBS = 100
/** The name of the program in stack traces. */
const PROGRAM = 'script.js'

export async function openEngine(options: EngineOptions) {
  const { outside, mustStop, limits } = options
  const memory = new WebAssembly.Memory({
    initial: FIRST_PAGES,
    maximum: Math.floor(limits.memory_bytes / PAGE_BYTES),
  })
  const variant = newVariant(variantIn(base), {
    wasmModule: options.module,
    wasmMemory: memory,
    log: () => undefined,
  })
  const quickjs = await newQuickJSWASMModuleFromVariant(variant)
  const runtime = quickjs.newRuntime({ maxStackSizeBytes: limits.stack_bytes })
  const context = runtime.newContext()
  const random = openRandom()
  const inside = context.unwrapResult(
    context.callFunction(
      evaluate(context, `(${String(prelude)})`, 'prelude.js'),
      context.undefined,
      handles(context, { ...outside, random }),
      context.newString(JSON.stringify(options.tools)),
      context.newNumber(Math.max(limits.argument_bytes, limits.output_bytes)),
    ),
  )
  const [start, settle, describe, unseen] = ['start', 'settle', 'describe', 'unseen'].map((name) =>
    context.getProp(inside, name),
  )
  if (start === undefined || settle === undefined || describe === undefined || unseen === undefined)
    throw new Error('the prelude lacks a function')
  runtime.setInterruptHandler(mustStop)

  const call = (verb: QuickJSHandle, ...given: QuickJSHandle[]): QuickJSHandle =>
    context.unwrapResult(context.callFunction(verb, context.undefined, ...given))
  const described = (thrown: QuickJSHandle): string => context.getString(call(describe, thrown))

  return {
    /** Starts the program. Its promises go on with `work`. @returns what was thrown at once, as JSON */
    start: (source: string): string | undefined => {
      // On the first line, so that lines are counted as the program has them.
      const program = context.evalCode(`(async () => {'use strict';${source}\n})`, PROGRAM, {
        type: 'global',
      })
      if (program.error) return described(program.error)
      const begun = context.callFunction(start, context.undefined, program.value)
      return begun.error ? described(begun.error) : undefined
    },
    settle: (id: number, ok: boolean, text: string): void => {
      call(
        settle,
        context.newNumber(id),
        ok ? context.true : context.false,
        context.newString(text),
      ).dispose()
    },
    /** Runs what is due. @returns false when nothing is due any more */
    work: () => workOff(runtime),
    /** See `Inside`. */
    unseen: () => context.getString(call(unseen)),
    /** True when there is hardly any memory left. */
    isFull: () => memory.buffer.byteLength > limits.memory_bytes * FULL,
  }
}

/** The package's types describe its CommonJS form, but Node loads the other one. */
const variantIn = (loaded: typeof base | QuickJSSyncVariant): QuickJSSyncVariant =>
  'default' in loaded ? loaded.default : loaded

function workOff(runtime: QuickJSRuntime): boolean {
  const worked = runtime.executePendingJobs(JOBS)
  if (worked.error) {
    worked.error.dispose()
    return true
  }
  return worked.value > 0
}

const evaluate = (context: QuickJSContext, code: string, name: string): QuickJSHandle =>
  context.unwrapResult(context.evalCode(code, name, { type: 'global' }))

/** Functions of the thread as functions of the engine. They take and return strings, numbers and booleans only. */
function handles(context: QuickJSContext, outside: Outside): QuickJSHandle {
  const object = context.newObject()
  const text = (handle: QuickJSHandle | undefined): string => {
    if (handle === undefined || context.typeof(handle) !== 'string') throw new Error('not a string')
    return context.getString(handle)
  }
  const number = (handle: QuickJSHandle | undefined): number =>
    handle === undefined ? Number.NaN : context.getNumber(handle)
  const add = (name: string, verb: (...given: QuickJSHandle[]) => QuickJSHandle): void =>
    context.newFunction(name, verb).consume((handle) => context.setProp(object, name, handle))
  add('call', (id, tool, args) => context.newString(outside.call(number(id), text(tool), text(args))))
  add('line', (line) => {
    outside.line(text(line))
    return context.undefined
  })
  add('sleep', (id, ms) => (outside.sleep(number(id), number(ms)) ? context.true : context.false))
  add('random', () => context.newNumber(outside.random()))
  add('ended', (returned, outcome) => {
    outside.ended(context.dump(returned ?? context.false) === true, text(outcome))
    return context.undefined
  })
  return object
}

/** Numbers from 0 to below 1 with 53 random bits, from a buffer that is filled anew when it is used up. */
function openRandom(): () => number {
  const bits = new Uint32Array(512)
  let next = bits.length
  const word = (): number => {
    if (next >= bits.length) {
      randomFillSync(bits)
      next = 0
    }
    const taken = bits[next] ?? 0
    next += 1
    return taken
  }
  return () => ((word() >>> 5) * 2 ** 26 + (word() >>> 6)) / 2 ** 53
}
