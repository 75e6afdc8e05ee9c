// How long the last attempts took, hour by hour: half of them within the dark bar, 95 % within the light one.
import './webhooks.css'
import { count } from '../ui/format_count.ts'
import { clockOf, durationWords, type EndpointStatistics } from './endpoint_statistics.ts'

const HEIGHT = 56
const STEP = 10
const BAR = 8

/** Shown once a request was sent. The numbers stand beside it as text. */
export const DurationBars = ({ day }: { day: EndpointStatistics }) => {
  const highest = Math.max(0, ...day.hours.map(({ p95 }) => p95 ?? 0))
  if (day.p95 === null) return null
  const heightOf = (ms: number | null): number =>
    ms === null ? 0 : Math.max(1, (HEIGHT * ms) / Math.max(1, highest))
  return (
    <figure className="day-bars duration-bars">
      <svg
        viewBox={`0 0 ${day.hours.length * STEP - (STEP - BAR)} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`How long attempts took, by the hour: ${durationWords(day)}`}
        data-testid="duration-bars"
      >
        {day.hours.map((hour, index) => (
          <g key={hour.at} data-testid="duration-hour">
            <title>{`${clockOf(hour.at)} UTC: ${durationWords(hour) || 'no attempt'}`}</title>
            <rect className="day-ground" x={index * STEP} y={0} width={BAR} height={HEIGHT} />
            {(['p95', 'p50'] as const).map((name) => (
              <rect
                key={name}
                data-percentile={name}
                x={index * STEP}
                y={HEIGHT - heightOf(hour[name])}
                width={BAR}
                height={heightOf(hour[name])}
              />
            ))}
          </g>
        ))}
      </svg>
      <figcaption>
        <span className="duration-legend">
          <span data-percentile="p50">p50</span>
          <span data-percentile="p95">p95</span> of attempts
        </span>
        <span>the highest is {count(highest)} ms</span>
      </figcaption>
    </figure>
  )
}
