// The lamp: a ring of sixty marks, an arc that is full when the next beacon is due, a turning beam, and a
// pulse when a beacon arrives.
import './beacons.css'

import { clockface, duration, utcClock } from '../ui/format_time.ts'
import type { Countdown } from './countdown.ts'

type CountdownRingProps = {
  readonly countdown: Countdown | null
  /** Id of the head. When it changes, the lamp pulses. */
  readonly headId: string | null
  readonly connected: boolean
}

export const CountdownRing = ({ countdown, headId, connected }: CountdownRingProps) => {
  const progress = countdown?.progress ?? 0
  const overdue = countdown !== null && countdown.overdueMs > 1_000
  return (
    <div className="lamp" data-overdue={overdue} data-connected={connected}>
      <svg viewBox="0 0 240 240" aria-hidden="true" focusable="false">
        <defs>
          <radialGradient id="lamp-light" cx="120" cy="120" r="104" gradientUnits="userSpaceOnUse">
            <stop offset="0.42" className="lamp-light-near" />
            <stop offset="1" className="lamp-light-far" />
          </radialGradient>
        </defs>
        <circle className="lamp-glass" cx="120" cy="120" r="92" />
        <g className="lamp-beam" transform={`rotate(${(progress * 360).toFixed(2)} 120 120)`}>
          <path d="M120 120 99 29.5A93 93 0 0 1 141 29.5z" fill="url(#lamp-light)" />
        </g>
        <circle className="lamp-bezel" cx="120" cy="120" r="113" pathLength="60" />
        <circle className="lamp-bezel five" cx="120" cy="120" r="111.5" pathLength="12" />
        <circle className="lamp-track" cx="120" cy="120" r="100" />
        <circle
          className="lamp-arc"
          cx="120"
          cy="120"
          r="100"
          pathLength="1"
          strokeDasharray={`${progress.toFixed(4)} 1.1`}
          transform="rotate(-90 120 120)"
        />
        {headId !== null && <circle key={headId} className="lamp-pulse" cx="120" cy="120" r="100" />}
      </svg>
      <div className="lamp-face">
        <span className="lamp-label">{overdue ? 'overdue by' : 'next beacon in'}</span>
        <span
          className="lamp-time"
          data-long={overdue && countdown.overdueMs >= HOUR_MS}
          data-testid="countdown"
          role="timer"
          aria-live="off"
        >
          {countdown === null ? '–:––' : timeOn(overdue ? countdown.overdueMs : countdown.remainingMs)}
        </span>
        <span className="lamp-label">
          {countdown === null
            ? 'waiting for the head'
            : `due ${utcClock(new Date(countdown.dueAt).toISOString())} UTC`}
        </span>
      </div>
    </div>
  )
}

const HOUR_MS = 3_600_000

/** From an hour on, shows a duration without seconds, because a clock with hours does not fit the lamp. */
const timeOn = (ms: number): string => (ms < HOUR_MS ? clockface(ms) : duration(ms))
