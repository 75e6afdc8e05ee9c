// Slows down refusals for a client that keeps sending after a refusal, so that a flood costs the server little.

export interface RefusalPace {
  /**
   * Resolves when the next refusal of this key is due. The first refusals are immediate; a flood waits longer and
   * longer. Returns the milliseconds waited.
   */
  readonly hold: (key: string) => Promise<number>
  /** Resolves everything that waits. After that, nothing waits. */
  readonly close: () => void
}

interface RefusalPaceOptions {
  /** Refusals of one key per second. A burst may use two seconds' worth at once. */
  readonly perSecond: number
  readonly now?: () => number
}

/** Milliseconds. Clients usually wait longer than this for an answer. */
const LONGEST_HOLD_MS = 5_000

const BURST_SECONDS = 2

/** The most keys in memory. When it is reached, refusals of further keys are immediate. */
const MOST_KEYS = 50_000

const SWEEP_EVERY_MS = 1_000

/**
 * The most refusals that wait at once, of one key and in all. Further ones are immediate: a client can send any number
 * of requests on one connection without reading, and each that waits keeps its header fields in memory.
 */
export const MOST_HELD = { ofKey: 256, inAll: 1_024 } as const

export function refusalPace({ perSecond, now = () => performance.now() }: RefusalPaceOptions): RefusalPace {
  const everyMs = 1_000 / perSecond
  /**
   * The time up to which each key has used its refusals, at one every `everyMs` (the generic cell rate algorithm).
   */
  const paidAt = new Map<string, number>()
  const holding = new Set<() => void>()
  const heldOf = new Map<string, number>()
  let closed = false
  const sweep = setInterval(() => {
    const at = now()
    for (const [key, paid] of paidAt) if (paid <= at) paidAt.delete(key)
  }, SWEEP_EVERY_MS).unref()

  const isFull = (key: string): boolean =>
    holding.size >= MOST_HELD.inAll || (heldOf.get(key) ?? 0) >= MOST_HELD.ofKey

  const due = (key: string, at: number): number => {
    const known = paidAt.get(key)
    if (known === undefined && paidAt.size >= MOST_KEYS) return 0
    const paid = Math.max(known ?? at, at) + everyMs
    const wait = paid - at - BURST_SECONDS * 1_000
    // A queue longer than the longest hold does not grow, so that its last entry does not wait for minutes.
    if (wait <= LONGEST_HOLD_MS) paidAt.set(key, paid)
    return Math.min(Math.max(0, wait), LONGEST_HOLD_MS)
  }

  return Object.freeze({
    hold: async (key: string) => {
      const began = now()
      const wait = closed ? 0 : due(key, began)
      if (wait === 0 || isFull(key)) return 0
      heldOf.set(key, (heldOf.get(key) ?? 0) + 1)
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer)
          holding.delete(end)
          const left = (heldOf.get(key) ?? 1) - 1
          if (left > 0) heldOf.set(key, left)
          else heldOf.delete(key)
          resolve()
        }
        const timer = setTimeout(end, wait)
        holding.add(end)
      })
      return now() - began
    },
    close: () => {
      closed = true
      clearInterval(sweep)
      for (const end of holding) end()
    },
  })
}
