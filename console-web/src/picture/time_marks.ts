// The clock times written under the tiles. Pure arithmetic.
import type { Place } from './measure.ts'

export type TimeMark = {
  readonly id: string
  readonly x: number
  readonly at: number
  readonly isNewDay: boolean
}

/** Space that one time needs. */
const SPACE = 96

/**
 * A time stands at the left edge of its tile. Heights that are multiples of a fixed step have one, so that the
 * times stay at their tiles while the picture grows.
 */
export const timeMarks = (places: readonly Place[], unit: number): readonly TimeMark[] => {
  const step = stepOf(Math.ceil(SPACE / unit))
  const marks: TimeMark[] = []
  let free = Number.NEGATIVE_INFINITY
  let day = ''
  for (const { tile, x } of places) {
    if (tile.height % step !== 0 || x < free) continue
    const today = new Date(tile.at).toISOString().slice(0, 10)
    marks.push({ id: tile.id, x, at: tile.at, isNewDay: day !== '' && day !== today })
    day = today
    free = x + SPACE
  }
  return marks
}

/** The next of 1, 2, 5, 10, 20, 50, … */
const stepOf = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power
}
