// The height of a tile: the number of its items on a logarithmic scale, from 0 to the next power of ten.
import type { Tile } from './tile.ts'

export type ItemScale = {
  /** The number of items at full height: 10, 100, … */
  readonly top: number
  /** Height of a number of items, from 0 to 1. A block without items still has some height. */
  readonly share: (items: number) => number
  /** The numbers of items that are written beside the picture, smallest first. */
  readonly marks: readonly number[]
}

/** Height of a block without items. */
const LEAST = 0.12

export const itemScale = (tiles: readonly Tile[], gathering: number): ItemScale => {
  const most = tiles.reduce((max, { items }) => Math.max(max, items), gathering)
  const decades = Math.max(1, Math.ceil(Math.log10(Math.max(1, most))))
  const top = 10 ** decades
  const full = Math.log10(1 + top)
  return {
    top,
    share: (items) => LEAST + (1 - LEAST) * Math.min(1, Math.log10(1 + Math.max(0, items)) / full),
    marks: [0, 10 ** Math.floor(decades / 2), top].filter((mark, index, all) => all.indexOf(mark) === index),
  }
}

/** Such as 0, 10, 1k, 10M. */
export const shortCount = (items: number): string => {
  const sizes = ['', 'k', 'M', 'G'] as const
  let rest = items
  let size = 0
  while (rest >= 1_000 && size < sizes.length - 1) {
    rest /= 1_000
    size += 1
  }
  return `${rest >= 10 || Number.isInteger(rest) ? Math.floor(rest) : rest.toFixed(1)}${sizes[size] ?? ''}`
}
