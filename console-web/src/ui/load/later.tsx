// A part of a page that is loaded when the page has been open for a moment, so that the first screen does not wait for it.
import { type ReactNode, useEffect, useState } from 'react'

const LATER_MS = 3_000

/**
 * True after a moment.
 * @param isNext the first screen is complete: true once that has been painted
 */
export const useLater = (isNext: boolean): boolean => {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (ms: number): void => {
      timer = setTimeout(() => setDue(true), ms)
    }
    if (!isNext) wait(LATER_MS)
    // The frame is painted between its callbacks and the next task.
    const frame = isNext ? requestAnimationFrame(() => wait(0)) : 0
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [isNext])
  return isDue
}

type LaterProps = {
  readonly children: ReactNode
  /** True once the first screen is complete without it. */
  readonly isNext?: boolean
}

export const Later = ({ children, isNext = false }: LaterProps) => useLater(isNext) && children
