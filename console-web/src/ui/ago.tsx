// How long ago a moment was, or how far ahead it is. The tip shows it in local time.
import { duration, localTime } from './format.ts'
import { useNow } from './use_now.ts'

export const Ago = ({ time }: { time: string }) => {
  const ms = useNow() - Date.parse(time)
  return (
    <time dateTime={time} title={localTime(time)}>
      {ms < -1_000 ? `in ${duration(-ms)}` : ms < 1_000 ? 'just now' : `${duration(ms)} ago`}
    </time>
  )
}
