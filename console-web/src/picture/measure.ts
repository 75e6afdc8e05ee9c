// Where each tile stands: its width is the time that its block took, and a long time without a block is a
// gap. Pure arithmetic.
import { lateAfterMs } from '../connection/countdown.ts'
import type { Tile } from './tile.ts'

export type Place = {
  readonly tile: Tile
  /** Left edge of the tile, from the left end of the picture. */
  readonly x: number
  readonly width: number
  /** Milliseconds since the block before. Null when that block is not in the list, or for the first block. */
  readonly tookMs: number | null
  /** The part of that time in which a block was overdue, and its width. Null when there is no gap. */
  readonly gap: Gap | null
}

export type Gap = { readonly x: number; readonly width: number; readonly ms: number }

export type Layout = {
  readonly places: readonly Place[]
  readonly width: number
  /** Width of a block that takes exactly the expected interval. */
  readonly unit: number
}

/** Left free between two tiles. */
export const TILE_SEAM = 2
const NARROWEST = 5
/** Widest tile, in units. A longer time is drawn as a gap, or not to scale. */
const WIDEST_UNITS = 3
const WIDEST_GAP_UNITS = 7
const NEIGHBOURS = 4

/** Short intervals get narrow tiles, because otherwise the picture runs away within seconds. */
const usualUnit = (intervalMs: number): number =>
  intervalMs < 1_000 ? 9 : intervalMs < 5_000 ? 14 : intervalMs < 30_000 ? 22 : 30

const WIDEST_UNIT = 48

/**
 * `room`: the width in which the picture is seen. A short chain gets wider tiles, in few steps, so that it does
 * not stand lost in an empty room.
 */
export const layOut = (tiles: readonly Tile[], intervalMs: number, room = 0): Layout => {
  const usual = usualUnit(intervalMs)
  for (const factor of [4, 3, 2]) {
    const unit = usual * factor
    // The last unit stays free, so that the next block does not change the step at once.
    if (unit > WIDEST_UNIT || unit * tiles.length > WIDEST_UNITS * room) continue
    const wide = layOutIn(unit, tiles, intervalMs)
    if (wide.width + unit <= room) return wide
  }
  return layOutIn(usual, tiles, intervalMs)
}

const layOutIn = (unit: number, tiles: readonly Tile[], intervalMs: number): Layout => {
  const places: Place[] = []
  let x = 0
  for (const [index, tile] of tiles.entries()) {
    const before = tiles[index - 1]
    const tookMs = before === undefined ? null : Math.max(0, tile.at - before.at)
    const gapMs = tookMs === null ? 0 : gapOf(tiles, index, tookMs, intervalMs)
    const gap = gapMs === 0 ? null : { x, width: gapWidth(gapMs, intervalMs), ms: gapMs }
    if (gap !== null) x += gap.width
    const width = widthOf(tookMs === null ? intervalMs : tookMs - gapMs, intervalMs, unit)
    places.push({ tile, x, width, tookMs, gap })
    x += width
  }
  return { places, width: x, unit }
}

export const widthOf = (tookMs: number, intervalMs: number, unit: number): number =>
  Math.min(WIDEST_UNITS * unit, Math.max(NARROWEST, Math.round((unit * tookMs) / intervalMs)))

/** Grows with the logarithm of the time, so that a night without blocks fits on the screen. */
const gapWidth = (ms: number, intervalMs: number): number => {
  const unit = usualUnit(intervalMs)
  return Math.round(Math.min(WIDEST_GAP_UNITS * unit, unit * (1 + Math.log2(1 + ms / intervalMs))))
}

/**
 * How long a block was overdue. The neighbours count besides the present interval, so that blocks from
 * before a change of the interval are not taken for outages.
 */
const gapOf = (tiles: readonly Tile[], index: number, tookMs: number, intervalMs: number): number => {
  if (tookMs <= lateAfterMs(intervalMs)) return 0
  const expected = Math.max(intervalMs, usualNear(tiles, index))
  return tookMs <= lateAfterMs(expected) ? 0 : tookMs - expected
}

/** The median time of the blocks around, without the block itself. */
const usualNear = (tiles: readonly Tile[], index: number): number => {
  const times: number[] = []
  for (let near = index - NEIGHBOURS; near <= index + NEIGHBOURS; near += 1) {
    const tile = tiles[near]
    const before = tiles[near - 1]
    if (near !== index && tile !== undefined && before !== undefined) times.push(tile.at - before.at)
  }
  times.sort((a, b) => a - b)
  return times.length < 3 ? 0 : (times[Math.floor(times.length / 2)] ?? 0)
}

/** The first and one past the last place that touch the stretch from `from` to `to`. */
export const placesIn = (
  places: readonly Place[],
  from: number,
  to: number,
): { readonly first: number; readonly end: number } => ({
  first: firstWhere(places, ({ x, width }) => x + width >= from),
  end: firstWhere(places, ({ x, gap }) => (gap?.x ?? x) > to),
})

/** Binary search: `holds` is false for a run of places and true for all after it. */
export const firstWhere = (places: readonly Place[], holds: (place: Place) => boolean): number => {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >> 1
    const place = places[middle]
    if (place !== undefined && holds(place)) high = middle
    else low = middle + 1
  }
  return low
}
