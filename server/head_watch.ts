// Whether the chain grows as it should, and whether the database's clock agrees with it; says so in the log once each time.
import type { Log } from './kernel/log.ts'

export interface SeenHead {
  readonly height: number
  /** The millisecond in its id. */
  readonly timeMs: number
}

export interface HeadJudgement {
  /** The head is older than `limitMs`, or blocks have not come on time again for long enough. */
  readonly stalled: boolean
  readonly limitMs: number
  /** How far the database's clock is behind the chain; 0 when it is not. */
  readonly clockBehindMs: number
}

export interface HeadWatch {
  /** Told of every standing that anybody reads. */
  readonly see: (nowMs: number, head: SeenHead) => HeadJudgement
}

/** A late block is ordinary: others make it 3 s after the boundary. Three intervals and 10 s are not. */
export const stalledAfterMs = (intervalMs: number): number => 3 * intervalMs + 10_000

/** A head is read a moment after the clock was, and two blocks of one millisecond stand a millisecond apart. */
const BEHIND_MS = 1_000

/**
 * The age by the database's clock counts, and how long this process has seen the same head, for a clock that is behind
 * knows no age. A stall does not end with the first block, or a server that makes one now and then would come and go:
 * it ends with a second one on time. A process that has never seen the chain grow has no stall to remember.
 */
export function watchHead({
  intervalMs,
  log,
  monotonic = () => performance.now(),
}: {
  readonly intervalMs: number
  readonly log: Log
  /** For tests: milliseconds that never go back. */
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
      // Without a block ever seen to come, the first one ends it: a server that starts after an outage has just made it.
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
