// Suggests canonical time zone names near a text that is no name.
import { everyTimeZone, LONGEST_NAME } from './time_zone.ts'

/**
 * Returns up to three canonical names, nearest first, or none. Work is bounded for any input: only the beginning of
 * the text is compared, and names of a very different length are skipped.
 */
export function suggestTimeZones(text: string): string[] {
  const wanted = text
    .slice(0, LONGEST_NAME + 1)
    .trim()
    .toLowerCase()
    .replace(/\s+/g, '_')
  if (wanted === '' || wanted.length > LONGEST_NAME) return []
  const farthest = Math.min(MOST_MISTAKES, Math.max(1, Math.floor(wanted.length / 3)))
  const nearest = new Map<string, number>()
  for (const { spellings, canonical } of CANDIDATES) {
    const distance = Math.min(...spellings.map((spelling) => distanceTo(wanted, spelling, farthest)))
    if (distance <= farthest && distance < (nearest.get(canonical) ?? Number.POSITIVE_INFINITY))
      nearest.set(canonical, distance)
  }
  return [...nearest]
    .sort(([a, near], [b, far]) => near - far || (a < b ? -1 : 1))
    .slice(0, MOST_SUGGESTIONS)
    .map(([name]) => name)
}

const MOST_SUGGESTIONS = 3

/** A text with more wrong letters means something else. This also keeps the comparison short. */
const MOST_MISTAKES = 4

/** People leave out the continent, so each name can also be found by its last part. */
const CANDIDATES = [...everyTimeZone()].map(({ name, canonical }) => {
  const whole = name.toLowerCase()
  const city = whole.slice(whole.lastIndexOf('/') + 1)
  return { canonical, spellings: city === whole ? [whole] : [whole, city] }
})

/** Levenshtein distance. A name that contains the text is at most `farthest` away. Returns infinity beyond `farthest`. */
function distanceTo(wanted: string, name: string, farthest: number): number {
  if (wanted.length >= 4 && name.includes(wanted)) return Math.min(farthest, name.length - wanted.length)
  if (Math.abs(wanted.length - name.length) > farthest) return Number.POSITIVE_INFINITY
  let above = Uint8Array.from({ length: name.length + 1 }, (_, index) => index)
  let row = new Uint8Array(above.length)
  for (let i = 1; i <= wanted.length; i++) {
    row[0] = i
    let least = i
    const character = wanted.charCodeAt(i - 1)
    for (let j = 1; j <= name.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (character === name.charCodeAt(j - 1) ? 0 : 1)
      const value = Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      row[j] = value
      least = Math.min(least, value)
    }
    if (least > farthest) return Number.POSITIVE_INFINITY
    const done = above
    above = row
    row = done
  }
  return above.at(-1) ?? Number.POSITIVE_INFINITY
}
