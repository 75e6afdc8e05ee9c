// The last 24 hours of an endpoint: a bar for each hour by outcome, how long attempts took, and the newest error.
import './webhooks.css'
import { useDocument } from '../data/use_document.ts'
import { Bars } from '../ui/bars.tsx'
import { count } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import { Ago } from '../ui/time.tsx'
import type { Endpoint, EndpointKind } from './endpoint.ts'
import {
  clockOf,
  countWords,
  durationWords,
  type EndpointStatistics,
  OUTCOMES,
  readStatistics,
  segmentsOf,
  statisticsPath,
  totalOf,
} from './endpoint_statistics.ts'

/** Counting takes the server longer the more deliveries there are, so an endpoint with many is asked less often. */
const freshMs = (statistics: EndpointStatistics): number => (totalOf(statistics) > 10_000 ? 60_000 : 10_000)

export const EndpointDay = ({ endpoint: { id, kind } }: { endpoint: Endpoint }) => {
  const loaded = useDocument(statisticsPath(id), { read: readStatistics, freshMs })
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

const hourWords = (hour: EndpointStatistics['hours'][number], kind: EndpointKind): string =>
  [countWords(hour, kind), durationWords(hour)].filter((words) => words !== '').join('; ')
