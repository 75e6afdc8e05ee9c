// Announces new beacons to screen readers: at most once in twenty seconds, and one sentence for a whole
// catch-up.

import { useEffect, useRef, useState } from 'react'
import { count } from '../ui/format_count.ts'
import { utcClock } from '../ui/format_time.ts'
import type { FeedState } from './beacon_feed.ts'

const QUIET_MS = 20_000

export const Announcer = ({ state }: { state: FeedState }) => {
  const [words, setWords] = useState('')
  const spokeAt = useRef(0)
  const { arrived, catchUp } = state
  const beacon = arrived === null ? undefined : state.list.rows.find((row) => row.id === arrived)
  const caughtUp = catchUp?.done && catchUp.count > 1 ? catchUp.count : 0
  useEffect(() => {
    if (beacon === undefined || Date.now() - spokeAt.current < QUIET_MS) return
    spokeAt.current = Date.now()
    setWords(`New beacon at ${utcClock(beacon.timestamp)} UTC, hash starting ${beacon.hash.slice(0, 8)}.`)
  }, [beacon])
  useEffect(() => {
    if (caughtUp > 0) setWords(`Caught up: ${count(caughtUp)} beacons.`)
  }, [caughtUp])
  return (
    <p className="visually-hidden" aria-live="polite">
      {words}
    </p>
  )
}
