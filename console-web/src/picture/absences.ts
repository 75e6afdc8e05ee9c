// The times in which this page was not connected. The service may have made blocks meanwhile.
import type { Place } from './measure.ts'

export type Absence = {
  readonly from: number
  /** Null while it lasts. */
  readonly to: number | null
}

const MOST_ABSENCES = 50

/** What follows from the connection as it is at the time `now`, in milliseconds of the server's clock. */
export const noteConnection = (
  absences: readonly Absence[],
  isOffline: boolean,
  now: number,
): readonly Absence[] => {
  const last = absences.at(-1)
  const isOpen = last !== undefined && last.to === null
  if (isOffline === isOpen) return absences
  if (isOffline) return [...absences, { from: now, to: null }].slice(-MOST_ABSENCES)
  if (last === undefined) return absences
  return [...absences.slice(0, -1), { ...last, to: now }]
}

export type AbsenceMark = {
  readonly absence: Absence
  readonly x: number
  readonly width: number
  /** Blocks that were made meanwhile. */
  readonly blocks: number
}

/** An absence without a block in it has no place in the picture. */
export const absenceMarks = (
  absences: readonly Absence[],
  places: readonly Place[],
): readonly AbsenceMark[] =>
  absences.flatMap((absence) => {
    const { from, to } = absence
    const inside = places.filter(({ tile }) => tile.at >= from && (to === null || tile.at <= to))
    const first = inside[0]
    const last = inside.at(-1)
    if (first === undefined || last === undefined) return []
    return [{ absence, x: first.x, width: last.x + last.width - first.x, blocks: inside.length }]
  })
