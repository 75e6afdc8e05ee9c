// Observes whether the chain grows on time and whether the database's clock agrees with it. Logs each change once.
import type { Log } from '../kernel/log.ts'

export interface SeenHead {
  readonly height: number
  /** The millisecond in the id of the head. */
  readonly timeMs: number
}

export interface HeadJudgement {
  /** True when the head is older than `limitMs`, until enough blocks have come on time again. */
  readonly stalled: boolean
  readonly limitMs: number
  /** How far the database's clock is behind the chain. 0 when it is not behind. */
  readonly clockBehindMs: number
}

export interface HeadWatch {
  /** Called with every standing that is read. */
  readonly see: (nowMs: number, head: SeenHead) => HeadJudgement
}

/**
 * A slightly late block is normal, because other servers make it 3 s after the boundary. Three intervals and 10 s is
 * not.
 */
export const stalledAfterMs = (intervalMs: number): number => 3 * intervalMs + 10_000

/** The head is read shortly after the clock, and blocks within one millisecond get ids one millisecond apart. */
const BEHIND_MS = 1_000

/**
 * Uses the larger of two ages: by the database's clock, and by how long this process has seen the same head, because
 * a clock that is behind shows no age. A stall ends with the second block on time, because a server that makes single
 * blocks would start and end it repeatedly. A process that has never seen the chain grow has no stall to end.
 */
export function watchHead({
  intervalMs,
  log,
  monotonic = () => performance.now(),
}: {
  readonly intervalMs: number
  readonly log: Log
  /** For tests: a monotonic clock in milliseconds. */
  readonly monotonic?: () => number
}): HeadWatch {
  const limitMs = stalledAfterMs(intervalMs)
  let seen: SeenHead & { readonly at: number } = { height: -1, timeMs: 0, at: monotonic() }
  let state: 'unknown' | 'growing' | 'stalled' | 'recovering' = 'unknown'
  let recovery: SeenHead = seen
  let isStallLogged = false
  let behind = false

  const judge = (standsMs: number, head: SeenHead): void => {
    if (standsMs > limitMs) {
      if (!isStallLogged)
        log.warn({ height: head.height, stands_ms: Math.round(standsMs), limit_ms: limitMs }, 'head.stalled')
      isStallLogged = true
      // When no block was seen to arrive, the first one ends the stall: a server that starts after an outage has just
      // made it.
      state = state === 'unknown' ? 'unknown' : 'stalled'
      return
    }
    if (state === 'stalled') {
      state = 'recovering'
      recovery = head
      return
    }
    if (state === 'recovering') {
      const blocks = head.height - recovery.height
      if (blocks < 1) return
      if ((head.timeMs - recovery.timeMs) / blocks > limitMs) {
        recovery = head
        return
      }
    }
    state = 'growing'
    if (isStallLogged) log.info({ height: head.height }, 'head.grows_again')
    isStallLogged = false
  }

  return Object.freeze({
    see: (nowMs: number, head: SeenHead): HeadJudgement => {
      if (head.height !== seen.height || head.timeMs !== seen.timeMs) seen = { ...head, at: monotonic() }
      const standsMs = Math.max(nowMs - head.timeMs, monotonic() - seen.at)
      judge(standsMs, head)
      const clockBehindMs = Math.max(0, head.timeMs - nowMs)
      if (clockBehindMs > BEHIND_MS !== behind) {
        behind = !behind
        if (behind) log.warn({ clock_behind_ms: clockBehindMs, height: head.height }, 'clock.behind_chain')
        else log.info({ height: head.height }, 'clock.agrees_with_chain')
      }
      return {
        stalled: standsMs > limitMs || state === 'stalled' || state === 'recovering',
        limitMs,
        clockBehindMs: clockBehindMs > BEHIND_MS ? clockBehindMs : 0,
      }
    },
  })
}
