// The processor time of a script's thread, as the thread tells it and as it is seen from outside.
import type { Worker } from 'node:worker_threads'

/** Goes at first. @param over called when it went for so many milliseconds in all */
export function stopwatch(ms: number, over: () => void) {
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

/** The thread computes from its start on, until it tells that it has stopped. */
export function processorOf(worker: Worker) {
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
    /** The program begins. */
    begins: (cpuMs: number): void => {
      saw(cpuMs)
      beganAt = cpuMs
    },
    /** The thread computes again. */
    resumes: (): void => {
      computes = true
      seenAt = performance.now()
    },
    /** The thread tells that it has stopped, and what it used. */
    stops: (cpuMs: number): void => {
      saw(cpuMs)
      computes = false
    },
    /** Looks from outside. @returns what the program used so far */
    look: async (): Promise<number> => {
      try {
        const { user, system } = await worker.cpuUsage()
        if (computes) saw((user + system) / 1_000)
      } catch {
        // The thread has ended.
      }
      return seen - (beganAt ?? seen)
    },
    /** What was used at most: what was seen, and the time since then in which the thread computed. */
    used: (): ProcessorTime => {
      const all = seen + (computes ? performance.now() - seenAt : 0)
      const startCpuMs = beganAt ?? all
      return { cpuMs: Math.ceil(all - startCpuMs), startCpuMs: Math.ceil(startCpuMs) }
    },
  }
}
