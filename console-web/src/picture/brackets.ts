// Where the brackets of the epochs stand under the tiles, a lane for each public chain. Pure arithmetic.
import type { Epoch } from './epoch.ts'
import { firstWhere, type Place } from './measure.ts'

export type Bracket = {
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
    .map(([name, { chain, network }]) => laneOf(places, { chain, network }, name, epochs))
}

const laneOf = (places: readonly Place[], series: Series, name: string, epochs: readonly Epoch[]): Lane => {
  const own = epochs
    .filter(({ chain, network }) => `${chain} ${network}` === name)
    .sort((a, b) => (a.lastId < b.lastId ? -1 : 1))
  const brackets = own.flatMap((epoch) => bracketOf(places, epoch) ?? [])
  const newest = own.at(-1)
  const after = newest === undefined ? 0 : firstAfter(places, newest.lastId)
  const from = places[after]
  const last = places.at(-1)
  return {
    ...series,
    brackets,
    next:
      from === undefined || last === undefined
        ? null
        : { x: from.x, width: last.x + last.width - from.x, blocks: places.length - after },
  }
}

const bracketOf = (places: readonly Place[], epoch: Epoch): Bracket | null => {
  const end = firstAfter(places, epoch.lastId)
  const start = firstAtOrAfter(places, epoch.firstId)
  const first = places[start]
  const last = places[end - 1]
  if (first === undefined || last === undefined || end <= start) return null
  const isCut = start === 0 && first.tile.id !== epoch.firstId
  return { epoch, x: first.x, width: last.x + last.width - first.x, isCut }
}

/** The epochs that carry a block, by its id. */
export const epochsOf = (epochs: readonly Epoch[], blockId: string): readonly Epoch[] =>
  epochs.filter(({ firstId, lastId }) => blockId >= firstId && blockId <= lastId)

/** The ids of blocks ascend with the chain. */
const firstAtOrAfter = (places: readonly Place[], id: string): number =>
  firstWhere(places, ({ tile }) => tile.id >= id)

const firstAfter = (places: readonly Place[], id: string): number =>
  firstWhere(places, ({ tile }) => tile.id > id)
