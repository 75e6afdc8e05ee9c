// A value once it has stayed the same for a while, so that nothing is asked for or drawn at every key.
import { useEffect, useState } from 'react'

/** @param value is compared by identity */
export const useSettled = <T>(value: T, afterMs: number): T => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return settled
}
