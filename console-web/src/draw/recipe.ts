// Draws k of n from the hash of a beacon. The same terms give the same winners everywhere: the recipe is exact, and from
// a hash that nobody chose every outcome is equally likely.
import { toHex, utf8 } from '../../../shared/proof/bytes.ts'
import { sha256 } from '../../../shared/proof/domain_hash.ts'

/** Changes when any step of the recipe changes. */
export const RECIPE = 'pharos-draw-v1'

/** The figures are of a trial on one core. A hundred tries are needed on average. */
export const WHO_CHOOSES =
  'The operator of this service can choose who is drawn, alone and without a trace, by taking other random bits for the id of the block: to draw one of 100 took 89 tries, 13 ms.'

export const DRAW_CEILINGS = { participants: 1_000_000, labelCharacters: 200 } as const

export type DrawTerms = {
  /** Says what is drawn. Another label gives other winners. One line. */
  readonly label: string
  /** SHA-256 of the list of participants as 64 hex digits. Null when numbers are drawn. */
  readonly list: string | null
  /** How many take part: the numbers 1 to n, or the lines of the list. */
  readonly n: number
  /** How many are drawn, from 1 to n. */
  readonly k: number
}

/** Everything that the winners depend on, as text. Six lines, each with a line feed at its end. */
export const drawText = ({ label, list, n, k }: DrawTerms, beaconHash: string): string =>
  `${RECIPE}\nbeacon ${beaconHash}\nlabel ${label}\nlist ${list ?? 'numbers'}\nn ${n}\nk ${k}\n`

/** The winners in the order in which they were drawn, each from 1 to n, without repetition. */
export const drawWinners = (terms: DrawTerms, beaconHash: string): number[] => {
  const numbers = numbersFrom(sha256(utf8(drawText(terms, beaconHash))))
  const places = Uint32Array.from({ length: terms.n }, (_, index) => index + 1)
  for (let i = 0; i < terms.k; i += 1) {
    const j = i + numberBelow(terms.n - i, numbers)
    const winner = places[j] ?? 0
    places[j] = places[i] ?? 0
    places[i] = winner
  }
  return [...places.subarray(0, terms.k)]
}

export const seedOf = (terms: DrawTerms, beaconHash: string): string =>
  toHex(sha256(utf8(drawText(terms, beaconHash))))

/**
 * Evenly distributed below `most`, which is from 1 to 2^32. Numbers at the upper end that would favour some results
 * are passed over.
 */
const numberBelow = (most: number, numbers: Generator<number, never>): number => {
  const limit = 2 ** 32 - (2 ** 32 % most)
  for (;;) {
    const number = numbers.next().value
    if (number < limit) return number % most
  }
}

/** Numbers of 32 bits: SHA-256 of the seed and a counter of 8 bytes, cut into eight numbers of 4 bytes. */
function* numbersFrom(seed: Uint8Array): Generator<number, never> {
  const message = new Uint8Array(seed.length + 8)
  message.set(seed)
  const counter = new DataView(message.buffer, seed.length)
  for (let counted = 0n; ; counted += 1n) {
    counter.setBigUint64(0, counted)
    const block = new DataView(sha256(message).buffer)
    for (let at = 0; at < block.byteLength; at += 4) yield block.getUint32(at)
  }
}
