// Where the brackets of the epochs stand under the tiles, a lane for each public chain. Pure arithmetic.
import type { Epoch } from '../commitments/epoch.ts'
import { type Place, runOf } from './layout.ts'

export type Lane = ReturnType<typeof lanesOf>[number]

export type Series = { readonly chain: string; readonly network: string }

/** `series` names chains that are in use and may have no epoch yet. `epochs` may be in any order. */
export const lanesOf = (
  places: readonly Place[],
  epochs: readonly Epoch[],
  series: readonly Series[] = [],
) => {
  const names = new Map([...series, ...epochs].map((one) => [`${one.chain} ${one.network}`, one]))
  return [...names]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { chain, network }]) => {
      const own = epochs
        .filter((one) => `${one.chain} ${one.network}` === name)
        .sort((a, b) => (a.lastId < b.lastId ? -1 : 1))
      const newest = own.at(-1)?.lastId ?? ''
      const after = places.filter(({ tile }) => tile.id > newest)
      const run = runOf(after)
      return {
        chain,
        network,
        /** From left to right. */
        brackets: own.flatMap((epoch) => bracketOf(places, epoch) ?? []),
        /** The blocks after the newest epoch, which the next one will carry. Null when there are none. */
        next: run && { ...run, blocks: after.length },
      }
    })
}

const bracketOf = (places: readonly Place[], epoch: Epoch) => {
  const held = places.filter(({ tile }) => tile.id >= epoch.firstId && tile.id <= epoch.lastId)
  const run = runOf(held)
  if (run === null) return null
  // An epoch that begins before the oldest tile has its left end not in the picture.
  return { epoch, ...run, isCut: held[0] === places[0] && held[0]?.tile.id !== epoch.firstId }
}
