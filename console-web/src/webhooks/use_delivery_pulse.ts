// Reports that deliveries have changed, so that their data are requested again: a text that differs after
// each change.
import { useEffect, useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { objectAt, textAt } from '../data/json_object.ts'

/** At most one pulse in this time, because each pulse costs a request of the caller's budget. */
const GATHER_MS = 2_000

/** For the delivery of this id, or for any delivery. */
export const useDeliveryPulse = (id: string | null = null): string => {
  const { live } = useConsole()
  const [pulse, setPulse] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    let spokeAt = 0
    const beat = (): void => {
      if (timer !== null) return
      const now = () => {
        timer = null
        spokeAt = Date.now()
        setPulse((count) => count + 1)
      }
      timer = setTimeout(now, Math.max(0, spokeAt + GATHER_MS - Date.now()))
    }
    const unfollow = live.follow('webhook_deliveries', {
      opened: beat,
      closed: () => undefined,
      heard: (_, body) => {
        // A burst names no delivery, so it may include this one.
        const named = textAt(objectAt(body, 'data'), 'id')
        if (id === null || named === null || named === id) beat()
      },
    })
    return () => {
      unfollow()
      if (timer !== null) clearTimeout(timer)
    }
  }, [live, id])
  return String(pulse)
}
