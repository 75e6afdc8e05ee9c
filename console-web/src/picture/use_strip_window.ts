// Which stretch of a long strip is in view. The strip scrolls from its right end, so that the newest end
// stays where it is when something is added at the other end.
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

export type StripWindow = {
  /** Distances from the right end of the strip, rounded outwards. */
  readonly near: number
  readonly far: number
  readonly isAtEnd: boolean
  readonly width: number
}

/** The window moves in such steps, so that scrolling renders rarely. */
const STEP = 240

export const useStripWindow = (
  scroller: RefObject<HTMLDivElement | null>,
): StripWindow & { readonly measure: () => void; readonly toEnd: () => void } => {
  const [seen, setSeen] = useState<StripWindow>({ near: 0, far: 2_000, isAtEnd: true, width: 0 })

  const measure = useCallback((): void => {
    const element = scroller.current
    if (element === null) return
    const right = -element.scrollLeft
    const near = Math.max(0, Math.floor((right - STEP) / STEP) * STEP)
    const far = Math.ceil((right + element.clientWidth + STEP) / STEP) * STEP
    const isAtEnd = right < 4
    const width = element.clientWidth
    setSeen((held) =>
      held.near === near && held.far === far && held.isAtEnd === isAtEnd && held.width === width
        ? held
        : { near, far, isAtEnd, width },
    )
  }, [scroller])

  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, measure])

  const toEnd = useCallback((): void => {
    if (scroller.current !== null) scroller.current.scrollLeft = 0
    measure()
  }, [scroller, measure])
  return { ...seen, measure, toEnd }
}

export type StripAnchor = {
  /** The part that is nearest to the right end. */
  readonly key: string
  /** Distance of a part from the right end. Null when it is not in the strip. */
  readonly distance: (key: string) => number | null
}

/** Keeps what is in view where it is while the strip grows at its right end. */
export const useStripAnchor = (
  scroller: RefObject<HTMLDivElement | null>,
  anchor: StripAnchor | null,
): void => {
  const held = useRef<{ key: string; distance: number } | null>(null)
  useLayoutEffect(() => {
    const element = scroller.current
    const before = held.current
    const distance = before === null ? null : (anchor?.distance(before.key) ?? null)
    if (element !== null && before !== null && distance !== null && element.scrollLeft <= -4)
      element.scrollLeft -= distance - before.distance
    const now = anchor === null ? null : anchor.distance(anchor.key)
    held.current = anchor === null || now === null ? null : { key: anchor.key, distance: now }
  }, [scroller, anchor])
}
