// Runs one program in a thread of its own, answers its calls, and ends the thread at every limit. Time and memory are
// limited from here, whatever the thread does; calls and output are counted by our own code in it, see `worker.ts`.
import { AsyncLocalStorage } from 'node:async_hooks'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { FromScript, ScriptEnd, ScriptOrder, ToScript } from './messages.ts'
import { type ProcessorTime, processorOf } from './processor.ts'
import { GRACE_MS, SCRIPT_LIMITS, type ScriptLimits, THREAD_LIMITS, WATCH_MS } from './script_limits.ts'

type Call = FromScript & { readonly kind: 'call' }

/**
 * Answers a call, given and returned as JSON text. Must not reject: a rejection is a fault of ours and ends the
 * script. The signal is aborted when the script ends.
 */
export type AnswerCall = (
  call: Pick<Call, 'id' | 'tool' | 'args'>,
  signal: AbortSignal,
) => Promise<Omit<ToScript, 'id'>>

export interface ThreadOptions {
  readonly source: string
  readonly tools: readonly string[]
  /** The database’s time, in unix milliseconds. */
  readonly startedAtMs: number
  readonly call: AnswerCall
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

/** @throws when a call rejected, or when the thread could not run, which are faults of ours */
export async function runThread(options: ThreadOptions): Promise<ThreadEnd> {
  const { signal } = options
  const limits = { ...SCRIPT_LIMITS, ...options.limits }
  const module = await engineModule()
  if (signal.aborted) return NEVER_BEGUN
  const order: ScriptOrder = {
    module,
    source: options.source,
    tools: options.tools,
    limits,
    startedAtMs: options.startedAtMs,
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
  let running = 0
  let calls = 0

  const ended = await new Promise<ThreadEnd['end'] | Error>((end) => {
    const answer = async (call: Call): Promise<void> => {
      running += 1
      try {
        const answered = await options.call(call, over.signal)
        worker.postMessage({ id: call.id, ...answered } satisfies ToScript)
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)))
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
    const hear = (message: FromScript): void => {
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
        case 'ended':
          processor.saw(message.cpuMs)
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
    const wall = setTimeout(() => end({ kind: 'limit', limit: 'wall_ms' }), limits.wall_ms)
    const watch = setInterval(() => {
      void processor.look().then((usedMs) => {
        if (usedMs > limits.cpu_ms + GRACE_MS) end({ kind: 'limit', limit: 'cpu_ms' })
      })
    }, WATCH_MS)
    const abort = (): void => end({ kind: 'aborted' })
    signal.addEventListener('abort', abort, { once: true })
    over.signal.addEventListener('abort', () => {
      clearTimeout(wall)
      clearInterval(watch)
      signal.removeEventListener('abort', abort)
    })
  })
  over.abort()
  const used = processor.used()
  await worker.terminate()
  if (ended instanceof Error) throw ended
  return { end: ended, lines, calls, ...used, wallMs: Math.round(performance.now() - startedAt) }
}

/** Compiled once. All threads share the code, and none of them its memory. */
let compiled: Promise<WebAssembly.Module> | undefined

function engineModule(): Promise<WebAssembly.Module> {
  compiled ??= readFile(fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))).then(
    (bytes) => WebAssembly.compile(new Uint8Array(bytes)),
  )
  return compiled
}
