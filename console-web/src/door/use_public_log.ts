// Looks at the public log when the door opens, and again as blocks come. Rests while the tab is hidden.
import { useEffect, useState } from 'react'
import { ApiFailure, messageOf } from '../data/api_failure.ts'
import { keepSeenLog, readSeenLog } from '../log/seen_log.ts'
import { logFiles } from './log_files.ts'
import { type LogLook, lookAtLog } from './look_at_log.ts'
import { nextLook } from './next_look.ts'

export type PublicLog = {
  /** Null until the first one was computed. */
  readonly look: LogLook | null
  /** Why the last attempt told nothing. */
  readonly failure: string | null
  /** When this browser saw the log before this visit. Null when it never did. */
  readonly since: string | null
}

const AFTER_FAILURE_MS = 30_000

export const usePublicLog = (): PublicLog => {
  const [since] = useState(() => readSeenLog()?.seenAt ?? null)
  const [state, setState] = useState<Omit<PublicLog, 'since'>>({ look: null, failure: null })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let left = false
    let isDue = false
    const files = logFiles()
    const run = async (): Promise<void> => {
      isDue = document.hidden
      if (isDue) return
      let wait = AFTER_FAILURE_MS
      try {
        const look = await lookAtLog(files, readSeenLog(), new Date().toISOString())
        if (left) return
        // What contradicts what was seen before never takes its place.
        if (look.kind === 'checked') keepSeenLog(look.check.seen)
        setState({ look, failure: null })
        if (look.kind === 'checked')
          wait = nextLook(
            look.blocks.map(({ at }) => at),
            Date.now(),
          )
      } catch (error) {
        if (left) return
        setState((last) => ({ ...last, failure: messageOf(error) }))
        if (error instanceof ApiFailure) wait = Math.max(wait, error.retryAfterMs)
      }
      timer = setTimeout(run, wait)
    }
    const wake = (): void => {
      if (isDue && !document.hidden) void run()
    }
    void run()
    document.addEventListener('visibilitychange', wake)
    return () => {
      left = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', wake)
    }
  }, [])
  return { ...state, since }
}
