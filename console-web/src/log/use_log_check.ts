// Checks the public log when the page opens, and now and then while it stays open.
import { useEffect, useState } from 'react'
import { messageOf } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { checkLog, type LogCheck } from './check_log.ts'
import { keepSeenLog, readSeenLog } from './seen_log.ts'

const EVERY_MS = 300_000

type Checked = {
  /** Null until the first one was computed. */
  readonly check: LogCheck | null
  /** Why the last attempt told nothing. */
  readonly failure: string | null
  /** When the checkpoint was seen that was remembered as the page opened, or that the page saw first. */
  readonly since: string | null
}

export const useLogCheck = (): Checked => {
  const { api } = useConsole()
  const [since, setSince] = useState(() => readSeenLog()?.seenAt ?? null)
  const [checked, setChecked] = useState<Omit<Checked, 'since'>>({ check: null, failure: null })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let left = false
    const run = async (): Promise<void> => {
      try {
        const check = await checkLog(api, readSeenLog(), new Date().toISOString())
        if (left) return
        // What was seen before stays remembered beside what contradicts it.
        if (check.kind === 'first' || check.kind === 'consistent') keepSeenLog(check.seen)
        if (check.kind === 'first') setSince(check.seen.seenAt)
        setChecked({ check, failure: null })
      } catch (error) {
        if (!left) setChecked((last) => ({ ...last, failure: messageOf(error) }))
      }
      if (!left) timer = setTimeout(run, EVERY_MS)
    }
    void run()
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [api])
  return { ...checked, since }
}
