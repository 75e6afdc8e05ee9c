// What each key used in about the last minute, in milliseconds of something that all share.

/** Milliseconds in which what was used counts half. About what was used in the last minute is left of it. */
const HALF_MS = 40_000

/** With this many keys, and then whenever they have doubled, those that have used nothing lately are forgotten. */
const MANY = 1_000

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
