// A countdown to the next attempt.
import './webhooks.css'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { clockface, localTime } from '../ui/format_time.ts'
import { useNow } from '../ui/use_now.ts'

export const NextAttempt = ({ at }: { at: string }) => {
  const remaining = Date.parse(at) - useNow() - useStore(useConsole().clockOffset)
  return (
    <time className="next-attempt" dateTime={at} title={localTime(at)} data-testid="next-attempt">
      {remaining > 0 ? `next in ${clockface(remaining)}` : 'due now'}
    </time>
  )
}
