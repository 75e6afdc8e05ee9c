// How long until the next attempt, ticking.
import { useConsole } from '../console_context.ts'
import { clockface, localTime } from '../format_time.ts'
import { useNow } from '../use_now.ts'
import { useStore } from '../use_store.ts'

export const NextAttempt = ({ at }: { at: string }) => {
  const { feed } = useConsole()
  const { clockOffset } = useStore(feed.state)
  const remaining = Date.parse(at) - useNow() - clockOffset
  return (
    <time className="next-attempt" dateTime={at} title={localTime(at)} data-testid="next-attempt">
      {remaining > 0 ? `next in ${clockface(remaining)}` : 'due now'}
    </time>
  )
}
