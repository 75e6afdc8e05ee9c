// Measures how much of the process's one thread each caller uses. A caller above its share has to rest while others
// are here.
import { performance } from 'node:perf_hooks'

export interface LoopShareOptions {
  /** The part of the thread's time that one caller's turns may use while others are here, e.g. 0.1. */
  readonly share: number
  /** Milliseconds of work without a rest. They become available again while the caller stays below its share. */
  readonly free: number
  /** Longest rest in milliseconds. */
  readonly longest: number
  readonly now?: () => number
  /** Total milliseconds in which this thread was busy. */
  readonly busyMs?: () => number
}

export interface LoopShare {
  /** Notes that the caller is here, even with small work. */
  readonly note: (key: string) => void
  /** True when another caller was seen recently. */
  readonly othersAreHere: (key: string) => boolean
  /**
   * Begins a turn. Call the returned function when the turn ends. It returns the milliseconds that the key must rest.
   */
  readonly begin: (key: string) => () => number
}

interface Account {
  /** Milliseconds of work at time `at` that no rest has paid for yet. */
  owed: number
  at: number
}

/** Milliseconds. A caller counts as here for this long after it was last seen. */
const HERE_MS = 2_000

/** When there are more accounts than this, accounts without debt are removed. */
const MANY = 1_000

/**
 * Turns overlap, so busy time is divided evenly among the open turns. When two turns of one key end together, their
 * rests add up: each turn adds to the debt before its rest is computed.
 */
export function loopShare({
  share,
  free,
  longest,
  now = () => performance.now(),
  busyMs = () => performance.eventLoopUtilization().active,
}: LoopShareOptions): LoopShare {
  const accounts = new Map<string, Account>()
  /** Busy milliseconds per turn, for a turn that was open from the start. */
  let perTurn = 0
  let open = 0
  let counted = busyMs()
  let newest: { key: string; at: number } | undefined
  let another: { key: string; at: number } | undefined
  let sweptAt = now()

  const count = (): void => {
    const busy = busyMs()
    if (open > 0) perTurn += (busy - counted) / open
    counted = busy
  }

  const othersAreHere = (key: string, at = now()): boolean => {
    const other = newest?.key === key ? another : newest
    return other !== undefined && at - other.at < HERE_MS
  }

  const owedAt = ({ owed, at }: Account, moment: number): number => Math.max(0, owed - (moment - at) * share)

  const sweep = (at: number): void => {
    if (accounts.size < MANY || at - sweptAt < HERE_MS) return
    sweptAt = at
    for (const [key, account] of accounts) if (owedAt(account, at) === 0) accounts.delete(key)
  }

  return Object.freeze({
    note: (key: string) => {
      if (newest?.key !== key) {
        another = newest
        newest = { key, at: now() }
      } else newest.at = now()
    },
    othersAreHere: (key: string) => othersAreHere(key),
    begin: (key: string) => {
      count()
      open += 1
      const began = perTurn
      return () => {
        count()
        open -= 1
        const at = now()
        sweep(at)
        const known = accounts.get(key)
        const before = known === undefined ? 0 : owedAt(known, at)
        // Debt that the longest rest cannot pay is forgiven.
        const owed = Math.min(before + perTurn - began, free + longest * share)
        accounts.set(key, { owed, at })
        return othersAreHere(key, at) ? Math.max(0, (owed - free) / share) : 0
      }
    },
  })
}
