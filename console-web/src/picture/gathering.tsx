// The block that is being gathered, at the right end of the picture: how much of the interval has passed, and what
// was submitted so far. Drawn anew once a second.

import { countdown, type Interval, lateAfterMs, nextWords } from '../connection/countdown.ts'
import { count } from '../ui/format_count.ts'
import { duration, utcClock } from '../ui/format_time.ts'
import { useNow } from '../ui/use_now.ts'
import type { ItemScale } from './layout.ts'
import { itemWords } from './picture_words.ts'

type GatheringProps = {
  readonly head: { readonly height: number; readonly at: number } | null
  readonly interval: Interval
  readonly clockOffset: number
  /** Since when this page is not connected, in server time. Null while it is. */
  readonly offlineSince: number | null
  /** Null until they were counted. */
  readonly items: number | null
  readonly scale: ItemScale
  /** Width of a block that takes exactly the interval. */
  readonly unit: number
}

export const Gathering = (props: GatheringProps) => {
  const { head, interval, offlineSince, items, scale, unit } = props
  const now = useNow() + props.clockOffset
  if (head === null) return <div className="gathering" data-state="unknown" />
  const { progress } = countdown(head.at, interval, now)
  const sinceMs = Math.max(0, now - head.at)
  const isLate = sinceMs > lateAfterMs(interval.ms)
  const state = offlineSince !== null ? 'offline' : isLate ? 'late' : 'filling'
  return (
    <div className="gathering" data-state={state} data-testid="gathering">
      <div className="gathering-tile" style={{ width: Math.max(18, unit) }} aria-hidden="true">
        <span
          className="gathering-fill"
          style={{
            width: state === 'filling' ? `${Math.round(progress * 100)}%` : '100%',
            height: `${(scale.share(items ?? 0) * 100).toFixed(1)}%`,
          }}
        />
      </div>
      <div className="gathering-words">
        <strong>Block {count(head.height + 1)}</strong>
        {state === 'offline' && (
          <span>not connected since {utcClock(new Date(offlineSince ?? now).toISOString())}</span>
        )}
        {state === 'late' && <span>none for {duration(sinceMs)}</span>}
        {state === 'filling' && <span>{nextWords(head.at, interval, true, now).words}</span>}
        {items !== null && state !== 'offline' && (
          <span title="Items of your team that you may read, submitted since the newest block. The block holds everybody's.">
            {itemWords(items)} of your team
          </span>
        )}
      </div>
    </div>
  )
}
