// The last 24 hours of an endpoint: a bar for each hour by outcome, how long attempts took, and the newest error.
import './webhooks.css'
import { useDocument } from '../data/use_document.ts'
import { Ago } from '../ui/ago.tsx'
import { count } from '../ui/format_count.ts'
import { DurationBars } from './duration_bars.tsx'
import {
  clockOf,
  countWords,
  durationWords,
  type EndpointStatistics,
  OUTCOMES,
  outcomeNames,
  readStatistics,
  segmentsOf,
  statisticsPath,
  totalOf,
} from './endpoint_statistics.ts'

/** Counting takes the server longer the more deliveries there are, so an endpoint with many is asked less often. */
const freshMs = (statistics: EndpointStatistics): number => (totalOf(statistics) > 10_000 ? 60_000 : 10_000)

export const EndpointDay = ({ endpointId }: { endpointId: string }) => {
  const loaded = useDocument(statisticsPath(endpointId), { read: readStatistics, freshMs })
  return (
    <section
      className="endpoint-day"
      aria-labelledby="day"
      data-testid="endpoint-day"
      aria-busy={loaded.kind === 'loading'}
    >
      <h2 id="day" className="section-title">
        The last 24 hours
      </h2>
      {loaded.kind === 'loading' && <p className="card-note">Counting…</p>}
      {loaded.kind === 'missing' && <p className="card-note">Nothing is known about them.</p>}
      {loaded.kind === 'failed' && <p className="problem">{loaded.why}</p>}
      {loaded.kind === 'found' && <Day day={loaded.value} />}
    </section>
  )
}

const Day = ({ day }: { day: EndpointStatistics }) => {
  if (totalOf(day) === 0) return <p className="card-note">No delivery was made for it.</p>
  const hours = day.hours.filter((hour) => totalOf(hour) > 0)
  return (
    <>
      <Bars day={day} />
      <DurationBars day={day} />
      <dl className="day-numbers">
        {outcomeNames.map((name) => (
          <div key={name} data-outcome={name} data-none={day[name] === 0}>
            <dt>{OUTCOMES[name]}</dt>
            <dd data-testid={`day-${name}`}>{count(day[name])}</dd>
          </div>
        ))}
        <Took name="half within (p50)" ms={day.p50} />
        <Took name="95 % within (p95)" ms={day.p95} />
      </dl>
      {day.newestError !== null && day.newestErrorAt !== null && (
        <p className="day-error" data-testid="newest-error">
          Newest error: {day.newestError} (<Ago time={day.newestErrorAt} />)
        </p>
      )}
      <details className="day-hours">
        <summary>Hour by hour</summary>
        <ol>
          {hours.toReversed().map((hour) => (
            <li key={hour.at}>
              <time dateTime={hour.at}>{clockOf(hour.at)}</time> {hourWords(hour)}
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

const HEIGHT = 56
const STEP = 10
const BAR = 8

/** A picture only. The numbers stand below it as text. */
const Bars = ({ day }: { day: EndpointStatistics }) => {
  const highest = Math.max(...day.hours.map(totalOf))
  return (
    <figure className="day-bars">
      <svg
        viewBox={`0 0 ${day.hours.length * STEP - (STEP - BAR)} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Deliveries by the hour in which they were made: ${countWords(day)}`}
      >
        {day.hours.map((hour, index) => (
          <g key={hour.at} data-testid="day-hour">
            <title>{`${clockOf(hour.at)} UTC: ${hourWords(hour) || 'none'}`}</title>
            <rect className="day-ground" x={index * STEP} y={0} width={BAR} height={HEIGHT} />
            {segmentsOf(hour, highest, HEIGHT).map(({ name, from, height }) => (
              <rect
                key={name}
                data-outcome={name}
                x={index * STEP}
                y={HEIGHT - from - height}
                width={BAR}
                height={height}
              />
            ))}
          </g>
        ))}
      </svg>
      <figcaption>
        <span>{clockOf(day.hours[0]?.at ?? '')}</span>
        <span>the most is {count(highest)} in an hour</span>
        <span>now, UTC</span>
      </figcaption>
    </figure>
  )
}

const hourWords = (hour: EndpointStatistics['hours'][number]): string =>
  [countWords(hour), durationWords(hour)].filter((words) => words !== '').join('; ')
