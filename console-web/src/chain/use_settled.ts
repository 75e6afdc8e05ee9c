// A value that is taken over at most once in a while, for what is costly to draw.
import { useEffect, useRef, useState } from 'react'

/** @param key the value is taken over at once when this changes */
export const useSettled = <T>(value: T, key: string, everyMs: number): T => {
  const [settled, setSettled] = useState({ value, key })
  const takenAt = useRef(0)
  useEffect(() => {
    if (settled.value === value && settled.key === key) return
    const take = (): void => {
      takenAt.current = Date.now()
      setSettled({ value, key })
    }
    const wait = settled.key === key ? takenAt.current + everyMs - Date.now() : 0
    const timer = setTimeout(take, Math.max(0, wait))
    return () => clearTimeout(timer)
  }, [value, key, everyMs, settled])
  return settled.value
}
