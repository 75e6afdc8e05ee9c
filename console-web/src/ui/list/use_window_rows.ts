// A long list of rows of one height in the scroll of the page. Only rows near the window exist, and rows in
// view stay in place.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { OlderPages } from '../../data/stream/live_list.ts'

export const ROW_HEIGHT = 56

type Row = { readonly id: string }

/** The next page is asked for while fewer than this many rows are below the window. */
const AHEAD = 12

/**
 * `top` is where the list begins in the document. A row is placed at its `start` minus `top`.
 * @param onOlder asks for the next page; keeps its identity between renders
 * @param rowHeight pixels, as the style of the list has it
 */
export const useWindowRows = (
  rows: readonly Row[],
  box: React.RefObject<HTMLElement | null>,
  older: OlderPages,
  onOlder: () => void,
  rowHeight = ROW_HEIGHT,
) => {
  const top = useTop(box)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 10,
    scrollMargin: top,
    useFlushSync: false,
  })
  useHoldPlace(rows, top, rowHeight)
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (older.kind === 'idle' && rows.length > 0 && last >= rows.length - AHEAD) onOlder()
  }, [older.kind, rows.length, last, onOlder])
  return { items, top }
}

/** Where the list begins in the document. It changes when content above the list grows. */
const useTop = (box: React.RefObject<HTMLElement | null>): number => {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = (): void => {
      if (box.current !== null) setTop(Math.round(box.current.getBoundingClientRect().top + window.scrollY))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    measure()
    return () => observer.disconnect()
  }, [box])
  return top
}

/**
 * New rows above the window push everything down, so this scrolls by the same distance and the same rows stay
 * in view.
 */
const useHoldPlace = (rows: readonly Row[], top: number, rowHeight: number): void => {
  const newest = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    const before = newest.current
    newest.current = rows[0]?.id
    if (before === undefined || before === newest.current || window.scrollY <= top) return
    const added = rows.findIndex((row) => row.id === before)
    if (added > 0) window.scrollBy({ top: added * rowHeight, behavior: 'instant' })
  }, [rows, top, rowHeight])
}
