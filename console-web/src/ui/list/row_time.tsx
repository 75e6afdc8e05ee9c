// When a row of a list was, by the clock: its day is seen where it is another than that of the row above, and always read out.
import { utcClock, utcDay } from '../format.ts'
import { Time } from '../time.tsx'

/** `above` is the time of the row above. Undefined in the first one. */
export const RowTime = ({ at, above }: { at: string; above: string | undefined }) => (
  <Time at={at}>
    <small className={above && utcDay(above) === utcDay(at) ? 'visually-hidden' : ''}>{utcDay(at)} </small>
    {utcClock(at)}
  </Time>
)
