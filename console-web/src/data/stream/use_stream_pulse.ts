// Reports that something has changed, so that its data are requested again: a text that differs after each
// change.
import { useEffect, useState } from 'react'
import { useConsole } from '../console_context.ts'
import { delayed } from '../delayed.ts'
import { objectAt, textAt } from '../shape.ts'
import type { LiveStream } from './live_events.ts'

/** At most one pulse in this time, because each pulse costs a request of the caller's budget. */
const GATHER_MS = 2_000

/** For events about the thing of this id, or for all events of the stream. */
export const useStreamPulse = (stream: LiveStream, id: string | null = null): string => {
  const { live } = useConsole()
  const [pulse, setPulse] = useState(0)
  useEffect(() => {
    let spokeAt = 0
    const next = delayed(() => {
      spokeAt = Date.now()
      setPulse((count) => count + 1)
    })
    const beat = (): void => next.in(Math.max(0, spokeAt + GATHER_MS - Date.now()))
    const unfollow = live.follow(stream, {
      opened: beat,
      closed: () => undefined,
      heard: (_, body) => {
        // A burst names nothing, so it may include this one.
        const named = textAt(objectAt(body, 'data'), 'id')
        if (id === null || named === null || named === id) beat()
      },
    })
    return () => {
      unfollow()
      next.cancel()
    }
  }, [live, stream, id])
  return String(pulse)
}
