// How many of something each key has, and what each used lately.

/** A key that has none is forgotten. */
export class Tally {
  readonly #counts = new Map<string, number>()

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  /** Returns how many the key has then. */
  add(key: string, by: number): number {
    const count = this.of(key) + by
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
    return count
  }

  /** Those that have any. */
  keys(): string[] {
    return [...this.#counts.keys()]
  }
}

/** Milliseconds in which what was used counts half. About what was used in the last minute is left of it. */
const HALF_MS = 40_000

/** With this many keys, and then whenever they have doubled, those that have used nothing lately are forgotten. */
const MANY = 1_000

/** What each key used in about the last minute, in milliseconds of something that all share. */
export function usedLately() {
  const accounts = new Map<string, { readonly ms: number; readonly at: number }>()
  let sweepAt = MANY
  const by = (key: string, at = performance.now()): number => {
    const known = accounts.get(key)
    return known === undefined ? 0 : known.ms * 0.5 ** ((at - known.at) / HALF_MS)
  }
  return Object.freeze({
    by: (key: string) => by(key),
    note: (key: string, ms: number): void => {
      const at = performance.now()
      if (accounts.size >= sweepAt) {
        for (const one of accounts.keys()) if (by(one, at) < 1) accounts.delete(one)
        sweepAt = Math.max(MANY, 2 * accounts.size)
      }
      accounts.set(key, { ms: by(key, at) + ms, at })
    },
  })
}
