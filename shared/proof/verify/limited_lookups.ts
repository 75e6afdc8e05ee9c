// Limits the number of lookups, because one bundle can name thousands of transactions and each question may
// take its full time.
import type { Lookup, Lookups } from '../lookups/lookup.ts'

/** Counts different questions. Correct bundles have fewer than ten. */
export const MAX_LOOKUPS = 16

/** Asks the same question only once. Questions after the last allowed one count as unreachable. */
export function limitedLookups(lookups: Lookups, limit = MAX_LOOKUPS): Lookups {
  let left = limit
  const asked = new Map<string, Promise<Lookup<unknown>>>()
  return {
    ask: (place, path) => {
      const key = `${place} ${path}`
      const known = asked.get(key)
      if (known !== undefined) return known
      if (left === 0)
        return Promise.resolve({ outcome: 'unreachable', why: `one bundle may ask ${limit} questions` })
      left--
      const answer = lookups.ask(place, path)
      asked.set(key, answer)
      return answer
    },
  }
}
