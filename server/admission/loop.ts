// The event loop: how late it is, and which share of it each caller takes. A caller above its share has to rest while
// others are here.
import { performance } from 'node:perf_hooks'

const EVERY_MS = 50
/** A delay counts one tenth after a second. */
const FADING = 0.1 ** (EVERY_MS / 1_000)

/** How late the event loop is, in milliseconds. */
export function watchLoopDelay() {
  let due = performance.now() + EVERY_MS
  let worst = 0
  const timer = setInterval(() => {
    const at = performance.now()
    worst = Math.max(at - due, worst * FADING)
    due = at + EVERY_MS
  }, EVERY_MS).unref()
  return Object.freeze({
    // Includes a stall that is still going on, because the timer has not run since.
    delayMs: () => Math.max(0, worst, performance.now() - due),
    close: () => clearInterval(timer),
  })
}

interface Account {
  /** Milliseconds of work at time `at` that no rest has paid for yet. */
  owed: number
  at: number
}

/** Milliseconds. A caller counts as here for this long after it was last seen. */
const HERE_MS = 2_000

/** A caller whose rest waits for those of others rests at most this many times as long as it would alone. */
const MOST_TIMES = 5

/** When there are more accounts than this, accounts without debt are removed. */
const MANY = 1_000

/**
 * What a mebibyte of an answer costs beside the thread's time: the database reads it, the collector moves it, and the
 * operating system copies it to the client, all on the same cores.
 */
const MS_PER_MIB = 40

/**
 * Turns overlap, so busy time is divided evenly among the open turns. When two turns of one key end together, their
 * rests add up: each turn adds to the debt before its rest is computed. Where many callers rest, their rests end one
 * after the other, so that they neither fill the thread together nor come back at the same moment.
 */
export function loopShare({
  share,
  inAll,
  free,
  longest,
  now = () => performance.now(),
  busyMs = () => performance.eventLoopUtilization().active,
}: {
  /** The part of the thread's time that one caller's turns may use while others are here, e.g. 0.1. */
  readonly share: number
  /** The part that all callers may use together above their shares, e.g. 0.3. */
  readonly inAll: number
  /** Milliseconds of work without a rest. They become available again while the caller stays below its share. */
  readonly free: number
  /** Longest rest in milliseconds. */
  readonly longest: number
  readonly now?: () => number
  /** Total milliseconds in which this thread was busy. */
  readonly busyMs?: () => number
}) {
  const accounts = new Map<string, Account>()
  /** Busy milliseconds per turn, for a turn that was open from the start. */
  let perTurn = 0
  let open = 0
  let counted = busyMs()
  let newest: { key: string; at: number } | undefined
  let another: { key: string; at: number } | undefined
  let sweptAt = now()
  /** When everything that callers used above their shares is paid for, at the rate of `inAll`. */
  let paidAt = Number.NEGATIVE_INFINITY

  const count = (): void => {
    const busy = busyMs()
    if (open > 0) perTurn += (busy - counted) / open
    counted = busy
  }

  const othersAreHere = (key: string, at = now()): boolean => {
    const other = newest?.key === key ? another : newest
    return other !== undefined && at - other.at < HERE_MS
  }

  const owedAt = (account: Account | undefined, moment: number): number =>
    account === undefined ? 0 : Math.max(0, account.owed - (moment - account.at) * share)

  const sweep = (at: number): void => {
    if (accounts.size < MANY || at - sweptAt < HERE_MS) return
    sweptAt = at
    for (const [key, account] of accounts) if (owedAt(account, at) === 0) accounts.delete(key)
  }

  /** @param own the rest of this caller if no other rested */
  const restInTurn = (at: number, above: number, own: number): number => {
    paidAt = Math.min(Math.max(paidAt, at) + above / inAll, at + longest)
    return Math.min(longest, Math.max(own, Math.min(paidAt - at, MOST_TIMES * own)))
  }

  return Object.freeze({
    /** Notes that the caller is here, even with small work. */
    note: (key: string): void => {
      if (newest?.key !== key) {
        another = newest
        newest = { key, at: now() }
      } else newest.at = now()
    },
    /** True when another caller was seen recently. */
    othersAreHere: (key: string) => othersAreHere(key),
    /** Milliseconds of work that the caller has not rested for yet. */
    owedBy: (key: string) => owedAt(accounts.get(key), now()),
    /**
     * Begins a turn. Call the returned function when the turn ends, with the bytes that it sent. It returns the
     * milliseconds that the key must rest.
     */
    begin: (key: string) => {
      count()
      open += 1
      const began = perTurn
      return (bytes: number): number => {
        count()
        open -= 1
        const at = now()
        sweep(at)
        // Who is alone takes nothing from anybody.
        const spent = othersAreHere(key, at) ? perTurn - began + (bytes / 1_048_576) * MS_PER_MIB : 0
        // Debt that the longest rest cannot pay is forgiven.
        const owed = Math.min(owedAt(accounts.get(key), at) + spent, free + longest * share)
        accounts.set(key, { owed, at })
        const above = owed - free
        return spent === 0 || above <= 0 ? 0 : restInTurn(at, Math.min(spent, above), above / share)
      }
    },
  })
}
