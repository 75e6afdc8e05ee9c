// What became of an endpoint's deliveries of the last 24 hours: a bar for each hour by outcome, how long attempts took, and
// the newest error.
import { called, needed, numberOrNull, or, shape, textOrNull } from '../data/shape.ts'
import { useDocument } from '../data/use_document.ts'
import { type BarPart, Bars } from '../ui/bars.tsx'
import { count } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import { Ago } from '../ui/time.tsx'
import { type Endpoint, type EndpointKind, endpoints } from './endpoint.ts'

/** Counting takes the server longer the more deliveries there are, so an endpoint with many is asked less often. */
const freshMs = (statistics: EndpointStatistics): number => (totalOf(statistics) > 10_000 ? 60_000 : 10_000)

export const EndpointDay = ({ endpoint: { id, kind } }: { endpoint: Endpoint }) => {
  const loaded = useDocument(`${endpoints.at(id)}/statistics`, { read: readStatistics, freshMs })
  return (
    <Section
      title="The last 24 hours"
      className="endpoint-day"
      data-testid="endpoint-day"
      aria-busy={loaded.kind === 'loading'}
    >
      {loaded.kind === 'loading' && <p className="card-note">Counting…</p>}
      {loaded.kind === 'missing' && <p className="card-note">Nothing is known about them.</p>}
      {loaded.kind === 'failed' && <p className="problem">{loaded.why}</p>}
      {loaded.kind === 'found' && <Day day={loaded.value} kind={kind} />}
    </Section>
  )
}

type DayProps = { readonly day: EndpointStatistics; readonly kind: EndpointKind }

const Day = ({ day, kind }: DayProps) => {
  if (totalOf(day) === 0) return <p className="card-note">No delivery was made for it.</p>
  const isSent = kind === 'push'
  // What cannot become of those that are read is not told as a number.
  const outcomes = OUTCOMES.filter(
    ({ name }) => isSent || day[name] > 0 || name === 'success' || name === 'pending',
  )
  const hours = day.hours.filter((hour) => totalOf(hour) > 0)
  const highest = Math.max(...day.hours.map(totalOf))
  return (
    <>
      <Bars
        label={`Deliveries by the hour in which they were made: ${countWords(day, kind)}`}
        testId="day-bars"
        bars={day.hours.map((hour) => ({
          key: hour.at,
          title: `${clockOf(hour.at)} UTC: ${hourWords(hour, kind) || 'none'}`,
          parts: segmentsOf(hour, highest),
        }))}
      >
        <span>{clockOf(day.hours[0]?.at ?? '')}</span>
        <span>the most is {count(highest)} in an hour</span>
        <span>now, UTC</span>
      </Bars>
      <DurationBars day={day} />
      <dl className="numbers day-numbers">
        {outcomes.map(({ name, tone, [kind]: words }) => (
          <div key={name} data-none={day[name] === 0}>
            <dt className="marks">
              <span data-tone={tone}>{words}</span>
            </dt>
            <dd data-testid={`day-${name}`}>{count(day[name])}</dd>
          </div>
        ))}
        {isSent && <Took name="half within (p50)" ms={day.p50} />}
        {isSent && <Took name="95 % within (p95)" ms={day.p95} />}
      </dl>
      {day.newestError !== null && day.newestErrorAt !== null && (
        <p className="problem" data-testid="newest-error">
          Newest error: {day.newestError} (<Ago time={day.newestErrorAt} />)
        </p>
      )}
      <details className="fold">
        <summary>Hour by hour</summary>
        <ol className="stack soft">
          {hours.toReversed().map((hour) => (
            <li key={hour.at}>
              <time dateTime={hour.at}>{clockOf(hour.at)}</time> {hourWords(hour, kind)}
            </li>
          ))}
        </ol>
      </details>
    </>
  )
}

const Took = ({ name, ms }: { name: string; ms: number | null }) => (
  <div data-none={ms === null}>
    <dt>{name}</dt>
    <dd>{ms === null ? 'not known' : `${count(ms)} ms`}</dd>
  </div>
)

/** How long the last attempts took: half of them within the dark part, 95 % within both. Shown once a request was sent. */
const DurationBars = ({ day }: Pick<DayProps, 'day'>) => {
  const highest = Math.max(1, ...day.hours.map(({ p95 }) => p95 ?? 0))
  if (day.p95 === null) return null
  return (
    <Bars
      label={`How long attempts took, by the hour: ${durationWords(day)}`}
      testId="duration-bars"
      bars={day.hours.map((hour) => ({
        key: hour.at,
        title: `${clockOf(hour.at)} UTC: ${durationWords(hour) || 'no attempt'}`,
        parts: (['p95', 'p50'] as const).flatMap((name) => {
          const ms = hour[name]
          return ms === null ? [] : { name, tone: 'busy', from: 0, height: Math.max(2, (100 * ms) / highest) }
        }),
      }))}
    >
      <span className="marks">
        <span data-tone="busy">half of the attempts</span>
        <span data-tone="busy" data-part="p95">
          95 %
        </span>
      </span>
      <span>the highest is {count(highest)} ms</span>
    </Bars>
  )
}

/** In the order in which they are told, of deliveries that are sent, and of those that are read. */
const OUTCOMES = [
  { name: 'success', push: 'got through', pull: 'read', tone: 'good' },
  { name: 'retrying', push: 'retrying', pull: 'retrying', tone: 'warn' },
  { name: 'failed', push: 'failed for good', pull: 'failed for good', tone: 'bad' },
  { name: 'cancelled', push: 'cancelled', pull: 'cancelled', tone: 'none' },
  { name: 'pending', push: 'not tried yet', pull: 'not read yet', tone: 'busy' },
] as const

const number = or(numberOrNull, 0)
const COUNTS = {
  success: number,
  retrying: number,
  failed: number,
  cancelled: number,
  pending: number,
  /** Of the last attempts, in milliseconds. Null when none sent a request. */
  p50: called('duration_p50_ms', numberOrNull),
  p95: called('duration_p95_ms', numberOrNull),
} as const

/** `at` is when the hour begins. */
const readHour = shape({ ...COUNTS, at: or(textOrNull, '') })
type Counts = Omit<ReturnType<typeof readHour>, 'at'>

/** @throws ApiFailure */
export const readStatistics = shape({
  ...COUNTS,
  newestError: textOrNull,
  newestErrorAt: textOrNull,
  /** Oldest first. */
  hours: (value: unknown) => needed(Array.isArray(value) ? value : null).map(readHour),
})
type EndpointStatistics = ReturnType<typeof readStatistics>

export const totalOf = (counts: Counts): number => OUTCOMES.reduce((sum, { name }) => sum + counts[name], 0)

/** Such as `20 got through, 3 retrying`. */
export const countWords = (counts: Counts, kind: EndpointKind): string =>
  OUTCOMES.filter(({ name }) => counts[name] > 0)
    .map((outcome) => `${count(counts[outcome.name])} ${outcome[kind]}`)
    .join(', ')

/** Such as `half within 40 ms, 95 % within 1,200 ms`. Empty when no request was sent. */
export const durationWords = ({ p50, p95 }: Counts): string =>
  p50 === null || p95 === null ? '' : `half within ${count(p50)} ms, 95 % within ${count(p95)} ms`

/** Hour and minute of UTC. */
const clockOf = (at: string): string => at.slice(11, 16)

/** In hundredths of the height. No part is lower, so that one failure among thousands is seen. */
const LOWEST = 4

/** The parts of an hour's bar from its foot upwards. The highest of all bars has the whole height. */
export const segmentsOf = (counts: Counts, highest: number): readonly BarPart[] => {
  const there = OUTCOMES.filter(({ name }) => counts[name] > 0)
  const shared = 100 - LOWEST * there.length
  let from = 0
  return there.map(({ name, tone }) => {
    const segment = { name, tone, from, height: LOWEST + (shared * counts[name]) / highest }
    from += segment.height
    return segment
  })
}

const hourWords = (hour: EndpointStatistics['hours'][number], kind: EndpointKind): string =>
  [countWords(hour, kind), durationWords(hour)].filter((words) => words !== '').join('; ')
