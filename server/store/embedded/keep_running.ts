// Starts a database that ends by itself again, on its old port, for as long as that takes: it was killed, it ran out of
// memory, or its disk is full. Servers reconnect to it. It is not a `repeat`, because it waits for the end of a process.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Launched } from './launch.ts'

/** Milliseconds before the first, second, … start in a row, and before every later one. */
const PATIENCE_MS = [0, 500, 1_000, 2_000, 4_000, 8_000, 15_000] as const
/** Whatever ran this long begins a new row. */
const STEADY_MS = 60_000

export interface Kept {
  /** Why there is no database at the moment, e.g. `exit code 1: its disk is full`. Undefined while there is one. */
  readonly trouble: () => string | undefined
  /** Calls back whenever `trouble` changes. */
  readonly onTrouble: (told: (why: string | undefined) => void) => void
  readonly stop: () => Promise<void>
}

interface KeepRunning {
  readonly first: Launched
  readonly again: () => Promise<Launched>
  readonly log: (line: string) => void
  /** For tests. */
  readonly pause?: (ms: number, stopped: AbortSignal) => Promise<void>
}

export const keepRunning = ({ first, again, log, pause = pauseUnlessStopped }: KeepRunning): Kept => {
  const stopping = new AbortController()
  const stopped = stopping.signal
  const listeners: ((why: string | undefined) => void)[] = []
  let current = first
  let trouble: string | undefined
  const setTrouble = (why: string | undefined): void => {
    trouble = why
    for (const tell of listeners) tell(why)
  }

  const restart = async (starts: number): Promise<number> => {
    for (let number = starts; ; number += 1) {
      const ms = PATIENCE_MS[Math.min(number, PATIENCE_MS.length - 1)] ?? 0
      log(`Starting the database again${ms === 0 ? '' : ` in ${ms / 1_000} s`} ...`)
      await pause(ms, stopped)
      if (stopped.aborted) return number
      try {
        current = await again()
        return number + 1
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error)
        setTrouble(reason('it does not start', words))
        log(words)
      }
    }
  }
  const keep = async (): Promise<void> => {
    for (let starts = 0; ; ) {
      const { ended, words } = current.postmaster
      const began = performance.now()
      const how = await ended
      if (stopped.aborted) return
      const last = words.lastLines()
      setTrouble(reason(how, last))
      log(`The database ended by itself (${trouble}). Its last words:\n${last}`)
      starts = await restart(performance.now() - began > STEADY_MS ? 0 : starts)
      if (stopped.aborted) return
      setTrouble(undefined)
      log('The database runs again.')
    }
  }
  const kept = keep()

  return {
    trouble: () => trouble,
    onTrouble: (told) => void listeners.push(told),
    stop: async () => {
      stopping.abort()
      await current.postmaster.stop()
      await kept
      // The one that was being started meanwhile.
      await current.postmaster.stop()
    },
  }
}

/** For people, and for everybody who reads `/health/ready`: no path, no name, nothing of the log. */
const reason = (how: string, words: string): string =>
  /No space left on device|Disk quota exceeded/i.test(words) ? `${how}: its disk is full` : how

const pauseUnlessStopped = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)
