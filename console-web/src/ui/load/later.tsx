// A part of a page that is loaded when the page has been open for a moment, so that the first screen does not wait for it.
import { type ReactNode, useEffect, useState } from 'react'

const LATER_MS = 3_000

type LaterProps = {
  readonly children: ReactNode
  /** True once the first screen is complete without it. It is loaded after that has been painted. */
  readonly isNext?: boolean
}

export const Later = ({ children, isNext = false }: LaterProps) => {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), isNext ? 0 : LATER_MS)
    return () => clearTimeout(timer)
  }, [isNext])
  return isDue && children
}
