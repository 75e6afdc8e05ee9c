// A moment, on screen in UTC or by how long ago it was, and in local time by its tip.
import type { ReactNode } from 'react'
import { duration, localTime, utc } from './format.ts'
import { useNow } from './use_now.ts'

type TimeProps = {
  /** ISO 8601. */
  readonly at: string
  /** With milliseconds. */
  readonly isExact?: boolean | undefined
  /** In place of day and time. */
  readonly children?: ReactNode
}

export const Time = ({ at, isExact, children = `${utc(at, isExact)} UTC` }: TimeProps) => (
  <time dateTime={at} title={localTime(at)}>
    {children}
  </time>
)

/** How long ago it was, or how far ahead it is. */
export const Ago = ({ time }: { time: string }) => (
  <Time at={time}>{useNow((now) => agoWords(now - Date.parse(time)))}</Time>
)

/** Such as "Made 3 min ago", among the facts of a row. Nothing where there is no time. */
export const AgoFact = ({ words, time }: { words: string; time: string | null }) =>
  time !== null && (
    <span>
      {words} <Ago time={time} />
    </span>
  )

const agoWords = (ms: number): string =>
  ms < -1_000 ? `in ${duration(-ms)}` : ms < 1_000 ? 'just now' : `${duration(ms)} ago`
