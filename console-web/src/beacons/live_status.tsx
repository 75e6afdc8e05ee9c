// The status pill, updated with the clock, because a chain turns stale without any event.

import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { useNow } from '../ui/use_now.ts'
import type { FeedState } from './beacon_feed.ts'
import { deriveStatus } from './status.ts'
import { StatusPill } from './status_pill.tsx'

export const LiveStatus = ({ state, intervalMs }: { state: FeedState; intervalMs: number }) => {
  const clockOffset = useStore(useConsole().clockOffset)
  const head = state.list.rows[0]
  return (
    <StatusPill
      status={deriveStatus({
        phase: state.connection.phase,
        headAt: head === undefined ? null : Date.parse(head.timestamp),
        intervalMs,
        now: useNow() + clockOffset,
      })}
    />
  )
}
