// Measures the round trip while the page is shown: at once, and now and then.
import { useEffect } from 'react'
import type { ConnectionLog } from '../data/connection_log.ts'

const EVERY_MS = 15_000

export const useRoundTrip = (connection: ConnectionLog, isConnected: boolean): void =>
  useEffect(() => {
    if (!isConnected) return
    const measure = (): void => {
      if (document.visibilityState === 'visible') void connection.measure()
    }
    measure()
    const timer = setInterval(measure, EVERY_MS)
    return () => clearInterval(timer)
  }, [connection, isConnected])
