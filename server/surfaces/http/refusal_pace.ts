// Who asks on and on after a refusal is refused more slowly: a flood costs the server as little as its caller gains.

export interface RefusalPace {
  /**
   * Settles when the next refusal of this key is due: at once for the first ones, later and later for a flood.
   * Answers the milliseconds that it took.
   */
  readonly hold: (key: string) => Promise<number>
  /** Settles everything that waits; nothing waits from then on. */
  readonly close: () => void
}

export interface RefusalPaceOptions {
  /** Of one key. As many as two seconds have may come at once. */
  readonly perSecond: number
  readonly now?: () => number
}

/** Milliseconds. Clients wait longer than this for an answer. */
const LONGEST_HOLD_MS = 5_000

const BURST_SECONDS = 2

/** Keys remembered. When there are more, those that came last are refused at once. */
const MOST_KEYS = 50_000

const SWEEP_EVERY_MS = 1_000

export function refusalPace({ perSecond, now = () => performance.now() }: RefusalPaceOptions): RefusalPace {
  const everyMs = 1_000 / perSecond
  /** When the last refusal of a key is paid for, at one every `everyMs` (the generic cell rate algorithm). */
  const paidAt = new Map<string, number>()
  const holding = new Set<() => void>()
  let closed = false
  const sweep = setInterval(() => {
    const at = now()
    for (const [key, paid] of paidAt) if (paid <= at) paidAt.delete(key)
  }, SWEEP_EVERY_MS).unref()

  const due = (key: string, at: number): number => {
    const known = paidAt.get(key)
    if (known === undefined && paidAt.size >= MOST_KEYS) return 0
    const paid = Math.max(known ?? at, at) + everyMs
    const wait = paid - at - BURST_SECONDS * 1_000
    // A line longer than the longest hold does not grow: otherwise its last one would wait for minutes.
    if (wait <= LONGEST_HOLD_MS) paidAt.set(key, paid)
    return Math.min(Math.max(0, wait), LONGEST_HOLD_MS)
  }

  return Object.freeze({
    hold: async (key: string) => {
      const began = now()
      const wait = closed ? 0 : due(key, began)
      if (wait === 0) return 0
      await new Promise<void>((resolve) => {
        const end = (): void => {
          clearTimeout(timer)
          holding.delete(end)
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
