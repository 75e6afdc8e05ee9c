// Limits concurrent work, in total and per key. Of those who wait, the key that has cost least goes next.
import { type Lasting, whenOver } from './lasting.ts'

export interface FairGateOptions {
  /** Turns at once, in all. */
  readonly total: number
  /** Turns at once of one key. */
  readonly perKey: number
  /** Maximum number of waiters of one key beside its turns. One more is refused with the error that `full` returns. */
  readonly waitingPerKey: number
  /** Maximum number of waiters of all keys. */
  readonly waiting: number
  readonly full: () => Error
  /** The error for a waiter whose turn did not come in time. */
  readonly late: () => Error
}

/**
 * Ends the turn. Further calls do nothing. With `restMs`, this key gets no further turn for that many milliseconds. A
 * rest takes no place: neither another key nor a request of this key is refused for it.
 */
export type Leave = (restMs?: number) => void

/** Who wants a turn. */
interface Visit {
  /** For which the turn is. When it is over, it no longer waits. */
  readonly work?: Lasting
  /**
   * It had a turn before, which it gave up to wait for something else. It goes before those of its key who had none,
   * waits for no rest, and is not refused for want of a place to wait: what it holds meanwhile, others lack, and what it
   * began would be lost.
   */
  readonly resumes?: boolean
  /** What its key has cost so far, in any unit. Keys that cost the same take their turns alternately. */
  readonly cost?: () => number
}

interface Waiter {
  readonly since: number
  readonly start: () => void
  readonly cost: (() => number) | undefined
}

interface Line {
  running: number
  /** Ends the rest of this key. Undefined when it does not rest. */
  rest: { readonly timer: NodeJS.Timeout; readonly until: number } | undefined
  /** Those who had a turn before. */
  readonly resuming: Set<Waiter>
  readonly waiters: Set<Waiter>
}

const waitersOf = ({ resuming, waiters }: Line): number => resuming.size + waiters.size

/** Who goes next of those who wait. Undefined also while only the rest of the key is waited for. */
const firstOf = ({ rest, resuming, waiters }: Line): Waiter | undefined => {
  const [resumes] = resuming
  if (resumes !== undefined || rest !== undefined) return resumes
  const [first] = waiters
  return first
}

export type FairGate = ReturnType<typeof fairGate>

/**
 * Greedy keys leave something for one more: a key takes another place to wait, and where keys have a ceiling another
 * turn, only while it has fewer than are free. So the last ones go to keys that have none. A line is in `ready` exactly
 * while one of it goes next and it is below its own ceiling, in the order in which lines became ready.
 */
export function fairGate(options: FairGateOptions) {
  const { total, perKey, waitingPerKey, waiting: waitingInAll, full, late } = options
  const lines = new Map<string, Line>()
  const ready = new Map<string, Line>()
  /** Places to wait that only keys without a waiter get. */
  const spare = Number.isFinite(waitingInAll) ? Math.floor(waitingInAll / 10) : 0
  let running = 0
  let waiting = 0

  const mayStart = (line: Line): boolean =>
    line.running < (perKey < total ? Math.min(perKey, total - running) : total)

  const tidy = (key: string, line: Line): void => {
    if (firstOf(line) !== undefined && line.running < perKey) {
      if (!ready.has(key)) ready.set(key, line)
    } else ready.delete(key)
    if (line.running === 0 && waitersOf(line) === 0 && line.rest === undefined) lines.delete(key)
  }

  /** A later rest replaces an earlier one that ends before it. */
  const rest = (key: string, line: Line, ms: number): void => {
    const until = performance.now() + ms
    if (line.rest !== undefined && line.rest.until >= until) return
    clearTimeout(line.rest?.timer)
    const timer = setTimeout(() => {
      line.rest = undefined
      tidy(key, line)
      next()
    }, ms).unref()
    line.rest = { timer, until }
  }

  const take = (key: string, line: Line): Leave => {
    running += 1
    line.running += 1
    let left = false
    return (restMs = 0) => {
      if (left) return
      left = true
      running -= 1
      line.running -= 1
      if (restMs > 0) rest(key, line, restMs)
      tidy(key, line)
      next()
    }
  }

  /** Looks at every line that may start: at most one for each caller who waits. */
  const cheapest = (): [string, Line] | undefined => {
    let best: [string, Line] | undefined
    let least = Number.POSITIVE_INFINITY
    for (const [key, line] of ready) {
      if (!mayStart(line)) continue
      const cost = firstOf(line)?.cost?.() ?? 0
      if (cost >= least) continue
      least = cost
      best = [key, line]
    }
    return best
  }

  const next = (): void => {
    while (running < total) {
      const found = cheapest()
      if (found === undefined) return
      const [key, line] = found
      const waiter = firstOf(line)
      // Removed here. `tidy` adds the line at the end if it may have another turn.
      ready.delete(key)
      waiter?.start()
      tidy(key, line)
    }
  }

  return Object.freeze({
    /** @param patienceMs longest wait in milliseconds. Without it there is no limit. */
    enter: (key: string, patienceMs?: number, { work, cost, resumes }: Visit = {}): Promise<Leave> => {
      const line = lines.get(key) ?? { running: 0, rest: undefined, resuming: new Set(), waiters: new Set() }
      const own = resumes === true ? line.resuming : line.waiters
      const isNext =
        own.size === 0 && (resumes === true || (line.rest === undefined && line.resuming.size === 0))
      if (isNext && running < total && mayStart(line)) {
        lines.set(key, line)
        return Promise.resolve(take(key, line))
      }
      const ownWaiting = waitersOf(line)
      const isFull =
        resumes !== true &&
        (line.running + ownWaiting >= perKey + waitingPerKey ||
          waiting >= waitingInAll ||
          (ownWaiting > 0 && ownWaiting >= waitingInAll - waiting - spare))
      if (isFull) return Promise.reject(full())
      lines.set(key, line)
      return new Promise<Leave>((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined
        let forget: (() => void) | undefined
        const stopWaiting = (): void => {
          clearTimeout(timer)
          forget?.()
          own.delete(waiter)
          waiting -= 1
        }
        const giveUp = (): void => {
          if (!own.has(waiter)) return
          stopWaiting()
          tidy(key, line)
          reject(late())
        }
        const waiter: Waiter = {
          since: performance.now(),
          cost,
          start: () => {
            stopWaiting()
            resolve(take(key, line))
          },
        }
        own.add(waiter)
        waiting += 1
        if (patienceMs !== undefined) timer = setTimeout(giveUp, patienceMs)
        tidy(key, line)
        if (work !== undefined) forget = whenOver(work, giveUp)
      })
    },
    /** True when the key has a turn or a waiter. */
    isBusy: (key: string): boolean => {
      const line = lines.get(key)
      return line !== undefined && line.running + waitersOf(line) > 0
    },
    /** True while a key that has no turn waits for one that another key has. */
    isWaitedFor: (): boolean => {
      for (const { running: own } of ready.values()) if (own === 0) return true
      return false
    },
    /** True while one of this key waits who had a turn before. */
    isResumed: (key: string): boolean => (lines.get(key)?.resuming.size ?? 0) > 0,
    /** Milliseconds that the first waiter of this key waits for a turn. 0 while it has none, and while the key rests. */
    waitsMs: (key: string): number => {
      const line = lines.get(key)
      const first = line === undefined ? undefined : firstOf(line)
      return first === undefined ? 0 : performance.now() - first.since
    },
    counts: () => ({ running, waiting, keys: lines.size }),
  })
}
