// A long list of rows of one height in the page's own scroll: only those near the window exist, and those in view stay there.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'

export const ROW_HEIGHT = 56

type Row = { readonly id: string }

/** `top` is where the list begins in the document; a row stands at its `start` less that. */
export const useWindowRows = (rows: readonly Row[], box: React.RefObject<HTMLElement | null>) => {
  const top = useTop(box)
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 10,
    scrollMargin: top,
    useFlushSync: false,
  })
  useHoldPlace(rows, top)
  return { virtual, top }
}

/** Where the list begins in the document; it moves when what stands above it grows. */
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

/** Rows that arrive above the window push everything down; scrolling by as much keeps the same rows in view. */
const useHoldPlace = (rows: readonly Row[], top: number): void => {
  const newest = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    const before = newest.current
    newest.current = rows[0]?.id
    if (before === undefined || before === newest.current || window.scrollY <= top) return
    const added = rows.findIndex((row) => row.id === before)
    if (added > 0) window.scrollBy({ top: added * ROW_HEIGHT, behavior: 'instant' })
  }, [rows, top])
}
