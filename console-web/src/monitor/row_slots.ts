// The rows of the list as slots of one height. A burst that is open takes a slot more for each kind of event in it.
import { isBurst, type MonitorRow } from './monitor_row.ts'
import type { RowLog } from './row_log.ts'
import { burstKinds } from './row_words.ts'

/** In the slots of an open burst stands that burst. */
export type Slots = Pick<RowLog, 'size' | 'at' | 'placeOf'>

/** How many slots more the row takes when it is open. */
export const linesOf = (row: MonitorRow): number => (isBurst(row) ? burstKinds(row.data).length : 0)

/** Follows the rows: what comes and goes needs no other slots. */
export const slotsOf = (rows: RowLog, open: MonitorRow | null): Slots => {
  const lines = open === null ? 0 : linesOf(open)
  if (open === null || lines === 0) return rows
  /** None while the open row is not in the list. */
  const more = (): number => (rows.has(open) ? lines : 0)
  return {
    get size() {
      return rows.size + more()
    },
    at: (slot) => {
      const place = rows.placeOf(open)
      return rows.at(slot <= place ? slot : Math.max(place, slot - more()))
    },
    placeOf: (row) => {
      const place = rows.placeOf(row)
      return place > rows.placeOf(open) ? place + more() : place
    },
  }
}
