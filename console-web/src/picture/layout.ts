// Where each tile stands: its width is the time that its block took, its height the number of its items, and a long
// time without a block is a gap. Pure arithmetic.
import { lateAfterMs } from '../connection/countdown.ts'
import type { Break } from '../data/stream/connection_log.ts'
import { utcDay } from '../ui/format.ts'
import type { Tile } from './tile.ts'

export type Layout = ReturnType<typeof layOutIn>
export type Place = Layout['places'][number]

/** Left free between two tiles. */
export const TILE_SEAM = 2
const NARROWEST = 5
/** Widest tile, in units. A longer time is drawn as a gap, or not to scale. */
const WIDEST_UNITS = 3
const WIDEST_GAP_UNITS = 7
const WIDEST_UNIT = 48
const NEIGHBOURS = 4

/** Short intervals get narrow tiles, because otherwise the picture runs away within seconds. */
const usualUnit = (intervalMs: number): number =>
  intervalMs < 1_000 ? 9 : intervalMs < 5_000 ? 14 : intervalMs < 30_000 ? 22 : 30

/** What stands before the oldest tile has this room at the left end of the strip, as picture.css says too. */
const BEGINNING_WIDTH = 176

/**
 * `view`: the width in which the picture is seen, when it is known. A short chain gets wider tiles, in few steps, so
 * that it does not stand lost in an empty room.
 */
export const layOut = (tiles: readonly Tile[], intervalMs: number, view = Number.NaN): Layout => {
  const usual = usualUnit(intervalMs)
  const room = view - BEGINNING_WIDTH
  for (const factor of [4, 3, 2]) {
    const unit = usual * factor
    // The last unit stays free, so that the next block does not change the step at once.
    if (unit > WIDEST_UNIT || unit * tiles.length > WIDEST_UNITS * room) continue
    const wide = layOutIn(unit, tiles, intervalMs, view)
    if (wide.width + unit <= room) return wide
  }
  return layOutIn(usual, tiles, intervalMs, view)
}

/** `unit`: the width of a block that takes exactly the expected interval. */
const layOutIn = (unit: number, tiles: readonly Tile[], intervalMs: number, view: number) => {
  /** The right end of what stands in the picture so far. */
  let end = 0
  const places = tiles.map((tile, index) => {
    const before = tiles[index - 1]
    /** Since the block before. Null when that block is not in the list, or for the first block. */
    const tookMs = before === undefined ? null : Math.max(0, tile.at - before.at)
    const gapMs = tookMs === null ? 0 : gapOf(tiles, index, tookMs, intervalMs)
    /** The part of that time in which a block was overdue. */
    const gap = gapMs === 0 ? null : { x: end, width: gapWidth(gapMs, intervalMs), ms: gapMs }
    const x = end + (gap?.width ?? 0)
    const width = widthOf(tookMs === null ? intervalMs : tookMs - gapMs, intervalMs, unit)
    end = x + width
    return { tile, x, width, tookMs, gap }
  })
  /** Left of it the strip is not seen before it is scrolled. No text stands across it. */
  const seen = end - view
  return { places, width: end, unit, seen, isBeginningCut: seen < 0 && seen > -BEGINNING_WIDTH }
}

const widthOf = (tookMs: number, intervalMs: number, unit: number): number =>
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

/** Space that one time needs. */
const TIME_SPACE = 96

/**
 * A time stands at the left edge of its tile. Heights that are multiples of a fixed step have one, so that the
 * times stay at their tiles while the picture grows.
 */
export const timeMarks = ({ places, unit }: Layout) => {
  const step = [1, 2, 5, 10].find((tiles) => tiles * unit >= TIME_SPACE) ?? 20
  let free = 0
  let day = ''
  return places.flatMap(({ tile: { id, height, at }, x }) => {
    if (height % step !== 0 || x < free) return []
    const before = day
    day = utcDay(at)
    free = x + TIME_SPACE
    return [{ id, x, at, isNewDay: before !== '' && before !== day }]
  })
}

/** From the left edge of the first place to the right one of the last. Null when there is none. */
export const runOf = (places: readonly Place[]) => {
  const [first] = places
  const last = places.at(-1)
  return first === undefined || last === undefined
    ? null
    : { x: first.x, width: last.x + last.width - first.x }
}

/** Times in which this page was not connected, with the blocks that were made meanwhile. Without one they have no place. */
export const absencesOf = (
  breaks: readonly Pick<Break, 'from' | 'until'>[],
  clockOffset: number,
  places: readonly Place[],
) =>
  breaks.flatMap(({ from, until }) => {
    const inside = places.filter(({ tile }) => {
      const at = tile.at - clockOffset
      return at >= from && (until === null || at <= until)
    })
    const run = runOf(inside)
    return run === null ? [] : [{ from, ...run, blocks: inside.length }]
  })

/** Narrower ones would show a letter or two. */
const FLAG_SPACE = 56

/** The names of the team's own items over the blocks that hold them. A name ends before the next flag. */
export const flagsOf = ({ places, width, seen }: Layout, own: ReadonlyMap<string, readonly string[]>) => {
  let end = width + FLAG_SPACE * 2
  // The newest first, because they are what somebody waits for.
  return places.toReversed().flatMap(({ tile: { id, items }, x: left, width: wide }) => {
    const [name, ...more] = own.get(id) ?? []
    const x = left < seen && seen < left + wide ? seen : left
    const room = Math.min(end, x < seen ? seen : end) - x
    if (name === undefined || room < FLAG_SPACE) return []
    end = x
    return [{ id, x, room, items, text: more.length === 0 ? name : `${name} +${more.length}` }]
  })
}

export type ItemScale = ReturnType<typeof itemScale>

/** Height of a block without items. */
const LEAST = 0.12
const LEAST_LOW = 0.3

/** Logarithmic, from 0 to the next power of ten. */
export const itemScale = (tiles: readonly Tile[], gathering: number) => {
  const most = Math.max(gathering, ...tiles.map(({ items }) => items))
  const isLow = most <= 1
  const decades = Math.max(1, Math.ceil(Math.log10(Math.max(1, most))))
  const top = isLow ? 1 : 10 ** decades
  const least = isLow ? LEAST_LOW : LEAST
  const full = Math.log10(1 + top)
  return {
    /** Every block has no item or one, so half the height tells all of it. */
    isLow,
    /** Height of a number of items, from 0 to 1. A block without items still has some height. */
    share: (items: number): number =>
      least + (1 - least) * Math.min(1, Math.log10(1 + Math.max(0, items)) / full),
    /** The numbers of items that are written beside the picture, smallest first. */
    marks: isLow ? [0, 1] : [...new Set([0, 10 ** Math.floor(decades / 2), top])],
  }
}

/** Such as 0, 10, 1k, 10M. */
export const shortCount = (items: number): string => {
  const size = Math.floor(Math.log10(Math.max(1, items)) / 3)
  return `${items / 1_000 ** size}${['', 'k', 'M', 'G'][size] ?? ''}`
}
