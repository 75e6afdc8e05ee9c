// The processor time of a script's thread, as the thread tells it and as it is seen from outside.
import type { Worker } from 'node:worker_threads'

interface Stopwatch {
  readonly go: () => void
  readonly stop: () => void
}

/** Goes at first. @param over called when it went for so many milliseconds in all */
export function stopwatch(ms: number, over: () => void): Stopwatch {
  let left = ms
  let since = 0
  let timer: NodeJS.Timeout | undefined
  const go = (): void => {
    since = performance.now()
    timer = setTimeout(over, left)
  }
  go()
  return {
    go,
    stop: () => {
      clearTimeout(timer)
      left -= performance.now() - since
    },
  }
}

/** In milliseconds, never less than what was used. */
export interface ProcessorTime {
  /** Of the program alone. */
  readonly cpuMs: number
  /** Of the start of its thread. */
  readonly startCpuMs: number
}

interface Processor {
  /** The program begins. */
  readonly begins: (cpuMs: number) => void
  /** The thread computes again. */
  readonly goesOn: () => void
  /** The thread tells that it has stopped, and what it used. */
  readonly stops: (cpuMs: number) => void
  /** Looks from outside. @returns what the program used so far */
  readonly look: () => Promise<number>
  /** What was used at most: what was seen, and the time since then in which the thread computed. */
  readonly used: () => ProcessorTime
}

/** The thread computes from its start on, until it tells that it has stopped. */
export function processorOf(worker: Worker): Processor {
  let beganAt: number | undefined
  let seen = 0
  let seenAt = performance.now()
  let computes = true
  const saw = (cpuMs: number): void => {
    if (cpuMs <= seen) return
    seen = cpuMs
    seenAt = performance.now()
  }
  return {
    begins: (cpuMs) => {
      saw(cpuMs)
      beganAt = cpuMs
    },
    goesOn: () => {
      computes = true
      seenAt = performance.now()
    },
    stops: (cpuMs) => {
      saw(cpuMs)
      computes = false
    },
    look: async () => {
      try {
        const { user, system } = await worker.cpuUsage()
        if (computes) saw((user + system) / 1_000)
      } catch {
        // The thread has ended.
      }
      return seen - (beganAt ?? seen)
    },
    used: () => {
      const all = seen + (computes ? performance.now() - seenAt : 0)
      const startCpuMs = beganAt ?? all
      return { cpuMs: Math.ceil(all - startCpuMs), startCpuMs: Math.ceil(startCpuMs) }
    },
  }
}
