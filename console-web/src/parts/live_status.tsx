// The status pill, kept true by the ticking clock: a chain that falls silent turns stale without any event.
import type { FeedState } from '../beacons/beacon_feed.ts'
import { deriveStatus } from '../beacons/status.ts'
import { useNow } from '../use_now.ts'
import { StatusPill } from './status_pill.tsx'

export const LiveStatus = ({ state, intervalMs }: { state: FeedState; intervalMs: number }) => {
  const head = state.list.rows[0]
  return (
    <StatusPill
      status={deriveStatus({
        phase: state.connection.phase,
        headAt: head === undefined ? null : Date.parse(head.timestamp),
        intervalMs,
        now: useNow() + state.clockOffset,
      })}
    />
  )
}
