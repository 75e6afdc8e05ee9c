// When a row of a list was, by the clock: its day is seen where it is another than that of the row above, and always read out.
import { utcClock, utcDay } from '../format.ts'
import { Time } from '../time.tsx'

/** `above` is the time of the row above. Undefined in the first one. */
export const RowTime = ({ at, above }: { at: string; above: string | undefined }) => (
  <Time at={at}>
    {utcClock(at)}
    <small className={isNewDay(at, above) ? undefined : 'visually-hidden'}> {utcDay(at)}</small>
  </Time>
)

export const isNewDay = (at: string, above: string | undefined): boolean =>
  above === undefined || utcDay(above) !== utcDay(at)
