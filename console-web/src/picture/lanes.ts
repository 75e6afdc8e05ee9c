// Where the brackets of the epochs stand under the tiles, a lane for each public chain. Pure arithmetic.
import type { Epoch } from '../commitments/epoch.ts'
import type { Place } from './layout.ts'

type Bracket = {
  readonly epoch: Epoch
  readonly x: number
  readonly width: number
  /** True when the epoch begins before the oldest tile, so its left end is not in the picture. */
  readonly isCut: boolean
}

export type Lane = {
  readonly chain: string
  readonly network: string
  /** From left to right. */
  readonly brackets: readonly Bracket[]
  /** The blocks after the newest epoch, which the next one will carry. Null when there are none. */
  readonly next: { readonly x: number; readonly width: number; readonly blocks: number } | null
}

export type Series = { readonly chain: string; readonly network: string }

/** `series` names chains that are in use and may have no epoch yet. `epochs` may be in any order. */
export const lanesOf = (
  places: readonly Place[],
  epochs: readonly Epoch[],
  series: readonly Series[] = [],
): readonly Lane[] => {
  const names = new Map([...series, ...epochs].map((one) => [`${one.chain} ${one.network}`, one]))
  return [...names]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { chain, network }]) => {
      const own = epochs
        .filter((one) => `${one.chain} ${one.network}` === name)
        .sort((a, b) => (a.lastId < b.lastId ? -1 : 1))
      const newest = own.at(-1)
      const after = newest === undefined ? places : places.filter(({ tile }) => tile.id > newest.lastId)
      const run = runOf(after)
      return {
        chain,
        network,
        brackets: own.flatMap((epoch) => bracketOf(places, epoch) ?? []),
        next: run && { ...run, blocks: after.length },
      }
    })
}

const bracketOf = (places: readonly Place[], epoch: Epoch): Bracket | null => {
  const held = places.filter(({ tile }) => tile.id >= epoch.firstId && tile.id <= epoch.lastId)
  const run = runOf(held)
  if (run === null) return null
  return { epoch, ...run, isCut: held[0] === places[0] && held[0]?.tile.id !== epoch.firstId }
}

const runOf = (places: readonly Place[]): { x: number; width: number } | null => {
  const [first] = places
  const last = places.at(-1)
  return first === undefined || last === undefined
    ? null
    : { x: first.x, width: last.x + last.width - first.x }
}
