// Runs one program in a thread of its own, answers its calls, and ends the thread at every limit. Time and memory are
// limited from here, whatever the thread does; calls and output are counted by our own code in it, see `worker.ts`.
import { AsyncLocalStorage } from 'node:async_hooks'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Leave } from '../../../kernel/flow/fair_gate.ts'
import { once } from '../../../kernel/lru.ts'
import type { FromScript, ScriptEnd, ScriptOrder, SettledCall, ToScript } from './messages.ts'
import { type ProcessorTime, processorOf, stopwatch } from './processor.ts'
import { SCRIPT_LIMITS, type ScriptLimits } from './script_limits.ts'

/**
 * What the thread around the program may have for itself, in MiB: its own heap, and a native stack on which the
 * program’s stack always fits.
 */
const THREAD_LIMITS = {
  maxOldGenerationSizeMb: 48,
  maxYoungGenerationSizeMb: 8,
  codeRangeSizeMb: 16,
  stackSizeMb: 16,
} as const

/** The processor time of a thread is looked at this often from outside, in case the program does not stop by itself. */
const WATCH_MS = 100

/** How much later than the limit a program is stopped from outside. */
const GRACE_MS = 100

type Call = FromScript & { readonly kind: 'call' }

/**
 * Answers a call, given and returned as JSON text. Must not reject: a rejection is a fault of ours and ends the
 * script. The signal is aborted when the script ends.
 */
export type AnswerCall = (
  call: Pick<Call, 'id' | 'tool' | 'args'>,
  signal: AbortSignal,
) => Promise<Omit<SettledCall, 'id'>>

export interface ThreadOptions {
  readonly source: string
  readonly tools: readonly string[]
  /** The database’s time, in unix milliseconds. */
  readonly now: () => number
  readonly call: AnswerCall
  /** Waits for a turn to compute. Aborted when the script has ended. */
  readonly turn: (signal: AbortSignal) => Promise<Leave>
  /** Told what the script has used in all, in milliseconds of processor time, whenever a turn ends. */
  readonly used: (cpuMs: number) => void
  /** Ends the script. */
  readonly signal: AbortSignal
  /** Other limits than those in force, for tests. */
  readonly limits?: Partial<ScriptLimits>
}

export interface ThreadEnd extends ProcessorTime {
  readonly end: ScriptEnd | { readonly kind: 'aborted' }
  readonly lines: readonly string[]
  readonly calls: number
  readonly wallMs: number
}

/** The end of a script whose caller left before it began. */
export const NEVER_BEGUN = {
  end: { kind: 'aborted' },
  lines: [],
  calls: 0,
  cpuMs: 0,
  startCpuMs: 0,
  wallMs: 0,
} as const satisfies ThreadEnd

/**
 * The thread lives as long as its program, but computes only while it has a turn: from its start, and from what happens
 * that the program waits for, until it rests or its slice is over.
 * @throws when a call or a turn rejected, or when the thread could not run, which are faults of ours
 */
export async function runThread(options: ThreadOptions): Promise<ThreadEnd> {
  const module = await engineModule()
  const turn = openTurn(options.turn)
  try {
    await turn.take(options.signal)
    return options.signal.aborted ? NEVER_BEGUN : await runInTurns(options, module, turn)
  } finally {
    turn.end()
  }
}

type Turn = ReturnType<typeof openTurn>

function openTurn(take: ThreadOptions['turn']) {
  let leave: Leave | undefined
  return {
    take: async (signal: AbortSignal): Promise<void> => {
      leave = await take(signal)
    },
    isHeld: () => leave !== undefined,
    end: () => {
      leave?.()
      leave = undefined
    },
  }
}

/** The turn is held at first, and again at the end if the thread was ended while it computed. */
async function runInTurns(options: ThreadOptions, module: WebAssembly.Module, turn: Turn) {
  const { signal } = options
  const limits = { ...SCRIPT_LIMITS, ...options.limits }
  const slices = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const order: ScriptOrder = {
    module,
    source: options.source,
    tools: options.tools,
    limits,
    startedAtMs: options.now(),
    slices,
  }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: order,
    name: 'script',
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: THREAD_LIMITS,
  })
  const startedAt = performance.now()
  const over = new AbortController()
  const lines: string[] = []
  const queue: Call[] = []
  const processor = processorOf(worker)
  const sleeps = new Set<NodeJS.Timeout>()
  let happened: SettledCall[] = []
  let waiting: Promise<void> | undefined
  let running = 0
  let calls = 0

  const ended = await new Promise<ThreadEnd['end'] | Error>((end) => {
    const fail = (error: unknown): void => end(error instanceof Error ? error : new Error(String(error)))
    const wall = stopwatch(limits.wall_ms, () => end({ kind: 'limit', limit: 'wall_ms' }))
    const endTurn = (cpuMs: number): void => {
      processor.stops(cpuMs)
      tellUsed(options, processor.used())
      turn.end()
    }
    const takeTurn = (resume: () => void): void => {
      wall.stop()
      waiting = turn.take(over.signal).then(() => {
        waiting = undefined
        if (over.signal.aborted) return
        wall.go()
        processor.resumes()
        resume()
      }, fail)
    }
    const resumeThread = (): void => {
      worker.postMessage(happened satisfies ToScript)
      happened = []
    }
    const settle = (one: SettledCall): void => {
      happened.push(one)
      if (!turn.isHeld() && waiting === undefined) takeTurn(resumeThread)
    }
    const answer = async (call: Call): Promise<void> => {
      running += 1
      try {
        const answered = await options.call(call, over.signal)
        if (!over.signal.aborted) settle({ id: call.id, ...answered })
      } catch (error) {
        fail(error)
      }
      running -= 1
      next()
    }
    const next = (): void => {
      while (running < limits.calls_at_once && !over.signal.aborted) {
        const due = queue.shift()
        if (due === undefined) return
        void answer(due)
      }
    }
    const sleep = (id: number, ms: number): void => {
      const timer = setTimeout(
        () => {
          sleeps.delete(timer)
          settle({ id, ok: true, text: 'null' })
        },
        Math.min(Math.max(0, ms), limits.wall_ms),
      )
      sleeps.add(timer)
    }
    const hear = (message: FromScript): void => {
      if (over.signal.aborted) return
      switch (message.kind) {
        case 'begins':
          processor.begins(message.cpuMs)
          return
        case 'line':
          lines.push(message.text)
          return
        case 'call':
          calls += 1
          queue.push(message)
          next()
          return
        case 'sleep':
          sleep(message.id, message.ms)
          return
        case 'pauses':
          endTurn(message.cpuMs)
          takeTurn(() => {
            Atomics.add(slices, 0, 1)
            Atomics.notify(slices, 0)
          })
          return
        case 'rests':
          endTurn(message.cpuMs)
          if (happened.length > 0) takeTurn(resumeThread)
          return
        case 'ended':
          processor.stops(message.cpuMs)
          end(message.end)
          return
        default:
          message satisfies never
      }
    }
    // Messages of a thread belong to no request of themselves.
    worker.on('message', AsyncLocalStorage.bind(hear))
    worker.on('error', (error: Error & { code?: string }) =>
      end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { kind: 'limit', limit: 'memory_bytes' } : error),
    )
    worker.on('exit', () => end(new Error('the thread of a script ended by itself')))
    const watch = setInterval(() => {
      if (!turn.isHeld()) return
      void processor.look().then((usedMs) => {
        if (usedMs > limits.cpu_ms + GRACE_MS) end({ kind: 'limit', limit: 'cpu_ms' })
      })
    }, WATCH_MS)
    const abort = (): void => end({ kind: 'aborted' })
    signal.addEventListener('abort', abort, { once: true })
    over.signal.addEventListener('abort', () => {
      wall.stop()
      clearInterval(watch)
      for (const timer of sleeps) clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    })
  })
  over.abort()
  const used = processor.used()
  tellUsed(options, used)
  // Until then the thread may compute, so its turn goes on.
  await Promise.all([worker.terminate(), waiting])
  if (ended instanceof Error) throw ended
  return { end: ended, lines, calls, ...used, wallMs: Math.round(performance.now() - startedAt) }
}

const tellUsed = ({ used }: Pick<ThreadOptions, 'used'>, { startCpuMs, cpuMs }: ProcessorTime): void =>
  used(startCpuMs + cpuMs)

/** Compiled once. All threads share the code, and none of them its memory. */
const engineModule = once(async () => {
  const path = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))
  return WebAssembly.compile(new Uint8Array(await readFile(path)))
})
