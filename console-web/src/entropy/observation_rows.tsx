// A list of observations: the source, its hash, and when it was published.

import { Link } from 'wouter'
import { localTime, utcClock, utcDay } from '../ui/format_time.ts'
import { type Observation, sourceTitle } from './observation.ts'

export const ObservationRows = ({ observations }: { observations: readonly Observation[] }) => (
  <ul className="thing-rows">
    {observations.map((one) => (
      <li key={one.id}>
        <Link to={`/entropy/${one.id}`} className="thing-row" data-testid="observation-row">
          <time dateTime={one.insertedAt} title={localTime(one.insertedAt)}>
            {utcClock(one.insertedAt)}
            <small>{utcDay(one.insertedAt)}</small>
          </time>
          <span className="thing-name">
            <strong>{sourceTitle(one.source)}</strong>
            <code>{one.entropyHash}</code>
          </span>
        </Link>
      </li>
    ))}
  </ul>
)
