// How much of the process's one thread each caller takes: what is beyond a share of it is rested off, while others are here.
import { performance } from 'node:perf_hooks'

export interface LoopShareOptions {
  /** The part of the time that one caller's turns may fill while others are here, e.g. 0.1. */
  readonly share: number
  /** Milliseconds of work that are free, again and again, for whoever stays below the share. */
  readonly free: number
  /** Milliseconds: the longest rest. */
  readonly longest: number
  readonly now?: () => number
  /** Milliseconds in which this thread was busy so far. */
  readonly busyMs?: () => number
}

export interface LoopShare {
  /** Somebody is here, be it with something small. */
  readonly note: (key: string) => void
  /** Somebody else was seen lately. */
  readonly othersAreHere: (key: string) => boolean
  /** Begins a turn. Call what it answers when the turn is over: it answers the milliseconds that the key is to rest. */
  readonly begin: (key: string) => () => number
}

interface Account {
  /** Milliseconds of work that were not rested off yet, as of `at`. */
  owed: number
  at: number
}

/** Milliseconds: whoever was seen within this time is here. */
const HERE_MS = 2_000

/** Accounts at which those that owe nothing are looked for. */
const MANY = 1_000

/**
 * Turns overlap, so the time in which the thread was busy is divided evenly among those that were open. Two turns of
 * one key that end together rest one after the other: each adds to what is owed before its rest is counted.
 */
export function loopShare({
  share,
  free,
  longest,
  now = () => performance.now(),
  busyMs = () => performance.eventLoopUtilization().active,
}: LoopShareOptions): LoopShare {
  const accounts = new Map<string, Account>()
  /** Busy milliseconds that fell to each turn, had it been open all the time. */
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
        // What a rest of the longest kind cannot pay is forgiven.
        const owed = Math.min(before + perTurn - began, free + longest * share)
        accounts.set(key, { owed, at })
        return othersAreHere(key, at) ? Math.max(0, (owed - free) / share) : 0
      }
    },
  })
}
