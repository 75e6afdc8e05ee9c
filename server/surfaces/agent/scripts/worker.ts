// The thread of one script. It has no environment and no input. It talks to the server by messages only.
import { parentPort, workerData } from 'node:worker_threads'
import { openEngine } from './engine.ts'
import type { FromScript, ScriptEnd, ScriptOrder, ToScript } from './messages.ts'
import type { ScriptLimit } from './script_limits.ts'

/** Milliseconds of a processor that a program has before scripts of other accounts have theirs. */
const SLICE_MS = 50

/** Milliseconds since the start, counted by this thread. Whole ones, because a finer clock measures caches. */
const elapsedMs = (since: number): number => Math.floor(performance.now() - since)

/**
 * From now on Date.now() is the database's time, which goes on with the time that passes. The time zone is UTC, so
 * that nothing tells where the server stands.
 */
function ownClock(startedAtMs: number): void {
  const since = performance.now()
  Date.now = () => startedAtMs + elapsedMs(since)
  const dates = Date.prototype
  dates.getTimezoneOffset = () => 0
  dates.getSeconds = dates.getUTCSeconds
  dates.getMinutes = dates.getUTCMinutes
  dates.getHours = dates.getUTCHours
  dates.getDate = dates.getUTCDate
  dates.getDay = dates.getUTCDay
  dates.getMonth = dates.getUTCMonth
  dates.getFullYear = dates.getUTCFullYear
}

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

async function run(order: ScriptOrder, port: NonNullable<typeof parentPort>): Promise<void> {
  const say = (message: FromScript): void => port.postMessage(message)
  const { limits, slices } = order
  let end: ScriptEnd | undefined
  let beganAt = Number.POSITIVE_INFINITY
  let sliceBeganAt = Number.POSITIVE_INFINITY
  let calls = 0
  const asleep = new Set<number>()
  let waitingBytes = 0
  let outputBytes = 0
  let lines = 0
  /** The bytes of arguments of each call that is not answered. */
  const open = new Map<number, number>()
  /** What the program’s own promise became. */
  let outcome: ScriptEnd | undefined

  const limit = (name: ScriptLimit): void => {
    end ??= { kind: 'limit', limit: name }
  }
  const mustStop = (): boolean => {
    const used = cpuMs()
    if (used - beganAt > limits.cpu_ms) limit('cpu_ms')
    if (end === undefined && used - sliceBeganAt > SLICE_MS) standStill(used)
    return end !== undefined
  }
  const standStill = (used: number): void => {
    const slice = Atomics.load(slices, 0)
    say({ kind: 'pauses', cpuMs: used })
    Atomics.wait(slices, 0, slice)
    sliceBeganAt = cpuMs()
  }
  const refusal = (name: ScriptLimit): string =>
    JSON.stringify({
      errors: [
        {
          code: 'script_limit',
          detail: `${name} of a script are at most ${limits[name]}`,
          meta: { limit: name, maximum: limits[name] },
        },
      ],
    })
  const output = (text: string): boolean => {
    outputBytes += Buffer.byteLength(text)
    if (text !== '' && outputBytes <= limits.output_bytes) return true
    limit('output_bytes')
    return false
  }

  // The engine prints when it gives up, which the server learns from the end of the script.
  Object.assign(console, { log: () => undefined, warn: () => undefined, error: () => undefined })
  const engine = await openEngine({
    module: order.module,
    tools: order.tools,
    limits,
    mustStop,
    outside: {
      call: (id, tool, args) => {
        const bytes = Buffer.byteLength(args)
        if (calls >= limits.calls) return refusal('calls')
        calls += 1
        if (args === '' || bytes > limits.argument_bytes) return refusal('argument_bytes')
        if (waitingBytes + bytes > limits.waiting_bytes) return refusal('waiting_bytes')
        waitingBytes += bytes
        open.set(id, bytes)
        say({ kind: 'call', id, tool, args })
        return ''
      },
      line: (text) => {
        lines += 1
        if (lines > limits.lines) limit('lines')
        else if (output(text)) say({ kind: 'line', text })
      },
      sleep: (id, ms) => {
        if (asleep.size >= limits.sleeps) return false
        asleep.add(id)
        say({ kind: 'sleep', id, ms })
        return true
      },
      ended: (returned, text) => {
        if (!returned && outOfMemory(text)) limit('memory_bytes')
        else if (output(text)) outcome = { kind: returned ? 'returned' : 'threw', text }
      },
    },
  })

  /** An error cannot always be made when memory has run out. Then the engine throws null. */
  const outOfMemory = (thrown: string): boolean =>
    thrown.includes('"message":"out of memory"') || (thrown === '{"message":"null"}' && engine.isFull())

  /** One step of the program and everything that follows from it. */
  const resumeWith = (step: () => void): void => {
    if (end !== undefined) return
    try {
      step()
      while (!mustStop() && engine.work());
      end ??= settled()
    } catch (error) {
      // The engine itself gave up: its state is not usable any more.
      end ??= { kind: 'limit', limit: error instanceof RangeError ? 'stack_bytes' : 'memory_bytes' }
    }
    if (end === undefined) {
      say({ kind: 'rests', cpuMs: cpuMs() })
      return
    }
    say({ kind: 'ended', end, cpuMs: cpuMs() })
    port.close()
  }
  const settled = (): ScriptEnd | undefined => {
    if (open.size > 0) return undefined
    if (outcome === undefined) {
      if (asleep.size > 0) return undefined
      // Without memory the engine loses steps of promises.
      return engine.isFull() ? { kind: 'limit', limit: 'memory_bytes' } : { kind: 'stuck' }
    }
    const unseen = outcome.kind === 'returned' ? engine.unseen() : ''
    return unseen === '' ? outcome : { kind: 'threw', text: unseen }
  }

  port.on('message', (happened: ToScript) => {
    sliceBeganAt = cpuMs()
    resumeWith(() => {
      for (const { id, ok, text } of happened) {
        waitingBytes -= open.get(id) ?? 0
        open.delete(id)
        asleep.delete(id)
        engine.settle(id, ok, text)
      }
    })
  })
  ownClock(order.startedAtMs)
  beganAt = cpuMs()
  sliceBeganAt = beganAt
  say({ kind: 'begins', cpuMs: beganAt })
  resumeWith(() => {
    const thrown = engine.start(order.source)
    if (thrown === undefined) return
    if (outOfMemory(thrown)) limit('memory_bytes')
    else outcome = { kind: 'threw', text: thrown }
  })
}

if (parentPort !== null) await run(workerData, parentPort)
