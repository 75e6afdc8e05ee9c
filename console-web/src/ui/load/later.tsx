// A part of a page that is loaded when the page has been open for a moment, so that the first screen does not wait for it.
import { type ReactNode, useEffect, useState } from 'react'

const LATER_MS = 3_000

export const Later = ({ children }: { children: ReactNode }) => {
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), LATER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isDue && children
}
