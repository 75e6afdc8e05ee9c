// The processor time of a script's thread, as the thread tells it and as it is seen from outside.
import type { Worker } from 'node:worker_threads'

/** In milliseconds, never less than what was used. */
export interface ProcessorTime {
  /** Of the program alone. */
  readonly cpuMs: number
  /** Of the start of its thread. */
  readonly startCpuMs: number
}

interface Processor {
  readonly begins: (cpuMs: number) => void
  /** The thread told what it used. */
  readonly saw: (cpuMs: number) => void
  /** Looks from outside. @returns what the program used so far */
  readonly look: () => Promise<number>
  /** What was used at most: what was seen, and the time since when the thread was stopped. */
  readonly used: () => ProcessorTime
}

/** The processor time of a thread, counted from the start of the program. */
export function processorOf(worker: Worker): Processor {
  let beganAt: number | undefined
  let seen = 0
  let seenAt = performance.now()
  let told = false
  const saw = (cpuMs: number): void => {
    seen = Math.max(seen, cpuMs - (beganAt ?? cpuMs))
    seenAt = performance.now()
  }
  return {
    begins: (cpuMs) => {
      beganAt = cpuMs
      seenAt = performance.now()
    },
    saw: (cpuMs) => {
      saw(cpuMs)
      told = true
    },
    look: async () => {
      try {
        const { user, system } = await worker.cpuUsage()
        if (!told) saw((user + system) / 1_000)
      } catch {
        // The thread has ended.
      }
      return seen
    },
    used: () => {
      const unseen = told ? 0 : performance.now() - seenAt
      if (beganAt === undefined) return { cpuMs: 0, startCpuMs: Math.ceil(unseen) }
      return { cpuMs: Math.ceil(seen + unseen), startCpuMs: Math.ceil(beganAt) }
    },
  }
}
