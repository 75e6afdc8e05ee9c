// One word for how current the page is, computed from the connection and a given time.
import { lateAfterMs } from './countdown.ts'

export type Phase = 'connecting' | 'catching_up' | 'live' | 'offline'
export type Status = 'connecting' | 'catching up' | 'live' | 'stale' | 'offline'

export type StatusFacts = {
  readonly phase: Phase
  /** Time of the newest beacon in the list, in server time. Null before the first. */
  readonly headAt: number | null
  readonly intervalMs: number
  /** Server time now. */
  readonly now: number
}

export const deriveStatus = ({ phase, headAt, intervalMs, now }: StatusFacts): Status => {
  switch (phase) {
    case 'connecting':
      return 'connecting'
    case 'offline':
      return 'offline'
    case 'catching_up':
      return 'catching up'
    case 'live':
      return headAt !== null && now - headAt > lateAfterMs(intervalMs) ? 'stale' : 'live'
    default:
      return phase satisfies never
  }
}
