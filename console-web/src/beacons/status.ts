// One word for how much the page can be trusted to be current, derived from the connection and a clock passed as argument.
export type Phase = 'connecting' | 'catching_up' | 'live' | 'offline'
export type Status = 'connecting' | 'catching up' | 'live' | 'stale' | 'offline'

export type StatusFacts = {
  readonly phase: Phase
  /** Time of the newest beacon held, in server time; null before the first. */
  readonly headAt: number | null
  readonly intervalMs: number
  /** Server time now. */
  readonly now: number
}

/** A late block is ordinary: the finalizer's watch fires 3 s after the boundary. Two intervals and 5 s are not. */
export const staleAfterMs = (intervalMs: number): number => intervalMs * 2 + 5_000

export const deriveStatus = ({ phase, headAt, intervalMs, now }: StatusFacts): Status => {
  switch (phase) {
    case 'connecting':
      return 'connecting'
    case 'offline':
      return 'offline'
    case 'catching_up':
      return 'catching up'
    case 'live':
      return headAt !== null && now - headAt > staleAfterMs(intervalMs) ? 'stale' : 'live'
    default:
      return phase satisfies never
  }
}
