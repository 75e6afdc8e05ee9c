// Limits concurrent work, in total and per key. Waiters are served alternately by key, not in order of arrival.

export interface FairGateOptions {
  /** Turns at once, in all. */
  readonly total: number
  /** Turns at once of one key. */
  readonly perKey: number
  /** Maximum number of waiters of one key. One more is refused with the error that `full` returns. */
  readonly waitingPerKey: number
  /** Maximum number of waiters of all keys. */
  readonly waiting: number
  readonly full: () => Error
  /** The error for a waiter whose turn did not come in time. */
  readonly late: () => Error
}

/**
 * Ends the turn. Further calls do nothing. With `restMs`, this key gets the freed place only after that many
 * milliseconds. Other keys do not wait for that.
 */
export type Leave = (restMs?: number) => void

export interface FairGate {
  /** @param patienceMs longest wait in milliseconds. Without it there is no limit. */
  readonly enter: (key: string, patienceMs?: number) => Promise<Leave>
  /** True when the key has a turn or a waiter. */
  readonly isBusy: (key: string) => boolean
  readonly counts: () => { readonly running: number; readonly waiting: number; readonly keys: number }
}

interface Waiter {
  readonly start: () => void
}

interface Line {
  /** Turns of the key that run or rest. */
  running: number
  readonly waiters: Set<Waiter>
}

/**
 * A key with a thousand waiters and a key with one waiter get their next turns alternately. Every step takes the same
 * time, however many wait. A line is in `ready` exactly while it has a waiter that may start.
 */
export function fairGate(options: FairGateOptions): FairGate {
  const { total, perKey, waitingPerKey, waiting: waitingInAll, full, late } = options
  const lines = new Map<string, Line>()
  const ready = new Map<string, Line>()
  let running = 0
  let waiting = 0

  const tidy = (key: string, line: Line): void => {
    if (line.waiters.size > 0 && line.running < perKey) {
      if (!ready.has(key)) ready.set(key, line)
    } else ready.delete(key)
    if (line.running === 0 && line.waiters.size === 0) lines.delete(key)
  }

  const take = (key: string, line: Line): Leave => {
    running += 1
    line.running += 1
    let left = false
    const rested = (): void => {
      line.running -= 1
      tidy(key, line)
      next()
    }
    return (restMs = 0) => {
      if (left) return
      left = true
      running -= 1
      if (restMs <= 0) rested()
      else {
        setTimeout(rested, restMs).unref()
        next()
      }
    }
  }

  const next = (): void => {
    while (running < total) {
      const [first] = ready
      if (first === undefined) return
      const [key, line] = first
      const [waiter] = line.waiters
      // Removed here. `tidy` adds the line at the end if it may have another turn.
      ready.delete(key)
      waiter?.start()
      tidy(key, line)
    }
  }

  return Object.freeze({
    enter: (key: string, patienceMs?: number) => {
      const line = lines.get(key) ?? { running: 0, waiters: new Set<Waiter>() }
      if (line.waiters.size === 0 && line.running < perKey && running < total) {
        lines.set(key, line)
        return Promise.resolve(take(key, line))
      }
      if (line.waiters.size >= waitingPerKey || waiting >= waitingInAll) return Promise.reject(full())
      lines.set(key, line)
      return new Promise<Leave>((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined
        const stopWaiting = (): void => {
          clearTimeout(timer)
          line.waiters.delete(waiter)
          waiting -= 1
        }
        const waiter: Waiter = {
          start: () => {
            stopWaiting()
            resolve(take(key, line))
          },
        }
        line.waiters.add(waiter)
        waiting += 1
        if (patienceMs !== undefined)
          timer = setTimeout(() => {
            stopWaiting()
            tidy(key, line)
            reject(late())
          }, patienceMs)
        tidy(key, line)
      })
    },
    isBusy: (key: string) => lines.has(key),
    counts: () => ({ running, waiting, keys: lines.size }),
  })
}
