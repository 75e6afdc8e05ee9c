// Which rows of a long list are rendered. All slots have one height, so a place is a product, and nothing is laid out
// again when rows come.
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import type { MonitorRow } from './monitor_row.ts'
import type { Slots } from './row_slots.ts'

/** Rows rendered above and below what is seen. */
const OVERSCAN = 5
/** Below this width a row has two lines. */
const NARROW_PX = 460
const ROW_HEIGHT = { wide: 34, narrow: 50 } as const

export type RowWindow = {
  readonly first: number
  /** The place after the last rendered row. */
  readonly end: number
  readonly rowHeight: number
  readonly isNarrow: boolean
  readonly scrolled: () => void
  /** Scrolls as little as needed to show the row at this place. */
  readonly reveal: (place: number) => void
  /** Rows that fit at once. */
  readonly fitting: number
}

/** The newest row that a person sees, and the place where it was. Null at the head of the list. */
type Held = { readonly row: MonitorRow; readonly place: number } | null

type Measures = { readonly top: number; readonly height: number; readonly width: number }

/** `box` scrolls. `seen` is told the oldest row in view, or null while the head of the list is shown. */
export const useRowWindow = (
  rows: Slots,
  box: RefObject<HTMLElement | null>,
  seen: (oldest: MonitorRow | null) => void,
): RowWindow => {
  const [measures, setMeasures] = useState<Measures>({ top: 0, height: 600, width: 1_000 })
  const held = useRef<Held>(null)
  const isNarrow = measures.width < NARROW_PX
  const rowHeight = isNarrow ? ROW_HEIGHT.narrow : ROW_HEIGHT.wide
  const fitting = Math.max(1, Math.floor(measures.height / rowHeight))

  const scrolled = useCallback((): void => {
    const { current } = box
    if (current === null) return
    const top = Math.max(0, current.scrollTop)
    const place = Math.floor(top / rowHeight)
    const row = top < 1 ? undefined : rows.at(place)
    held.current = row === undefined ? null : { row, place }
    seen(row === undefined ? null : (rows.at(place + fitting) ?? rows.at(rows.size - 1) ?? null))
    setMeasures((before) => (sameRows(before.top, top, rowHeight) ? before : { ...before, top }))
  }, [rows, box, seen, rowHeight, fitting])

  // Rows that came above push everything down. The rows are rendered where they will be, and then the list scrolls by
  // the same distance.
  const scrollTop = Math.max(0, box.current?.scrollTop ?? measures.top)
  const kept = scrollTop < 1 ? null : held.current
  const pushed = kept === null ? 0 : rows.placeOf(kept.row) - kept.place
  useLayoutEffect(() => {
    const { current } = box
    if (current === null || kept === null || pushed === 0) return
    held.current = { row: kept.row, place: kept.place + pushed }
    current.scrollTop += pushed * rowHeight
    const top = current.scrollTop
    setMeasures((before) => ({ ...before, top }))
  })

  // The same row stays at the top when the rows become higher or lower.
  useLayoutEffect(() => {
    const { current } = box
    if (current !== null && held.current !== null) current.scrollTop = held.current.place * rowHeight
  }, [box, rowHeight])

  useLayoutEffect(() => {
    const { current } = box
    if (current === null) return
    const measure = (): void => {
      const { clientHeight: height, clientWidth: width } = current
      setMeasures((before) =>
        before.height === height && before.width === width ? before : { ...before, height, width },
      )
    }
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [box])

  const reveal = useCallback(
    (place: number): void => {
      const { current } = box
      if (current === null) return
      const start = place * rowHeight
      if (start < current.scrollTop) current.scrollTop = start
      else if (start + rowHeight > current.scrollTop + current.clientHeight)
        current.scrollTop = start + rowHeight - current.clientHeight
      scrolled()
    },
    [box, rowHeight, scrolled],
  )

  const top = Math.floor(scrollTop / rowHeight) + pushed
  return {
    first: Math.max(0, Math.min(top, rows.size - fitting) - OVERSCAN),
    end: Math.min(rows.size, top + fitting + 1 + OVERSCAN),
    rowHeight,
    isNarrow,
    scrolled,
    reveal,
    fitting,
  }
}

/** Within the same row nothing else needs to be rendered. */
const sameRows = (before: number, now: number, rowHeight: number): boolean =>
  Math.floor(before / rowHeight) === Math.floor(now / rowHeight)
