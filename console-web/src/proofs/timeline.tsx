// The way to a proof as three stations, lit as far as the subject has come.
import './proofs.css'
import { Link } from 'wouter'
import { useIsTrial } from '../outside/readiness.ts'
import { utcClock, utcDay } from '../ui/format.ts'
import { Time } from '../ui/time.tsx'
import { useServiceTime } from '../ui/use_now.ts'
import { stations, type Way, wayLine } from './way.ts'

type TimelineProps = {
  readonly way: Way
  /** Side by side where there is room. */
  readonly isWide?: boolean
}

export const Timeline = ({ way, isWide = false }: TimelineProps) => {
  const now = useServiceTime((now) => now)
  return (
    <ol
      className="timeline way"
      data-wide={isWide}
      data-stage={way.stage}
      data-testid="timeline"
      aria-label="The way to its proof"
    >
      {stations(way, now).map(({ name, isDone, at, words }, index, all) => (
        <li key={name} data-tone={toneOf(isDone, all[index - 1]?.isDone)} data-sign={isDone ? '✓' : ''}>
          <strong>
            {name.startsWith('In block') && way.block.id !== null ? (
              <Link to={`/blocks/${way.block.id}`}>{name}</Link>
            ) : (
              name
            )}
          </strong>
          {at !== null && (
            <Time at={at}>
              {utcDay(at) === utcDay(new Date(now).toISOString()) ? '' : `${utcDay(at)} `}
              {utcClock(at)} UTC
            </Time>
          )}
          <p>{words}</p>
        </li>
      ))}
    </ol>
  )
}

/** The same in one line, and what there is to say of it. */
export const OnTheWay = ({ way }: Pick<TimelineProps, 'way'>) => {
  const now = useServiceTime((now) => now)
  return (
    <>
      <p className="way-line" data-testid="way-line" role="status">
        {wayLine(way, now)}
      </p>
      <Timeline way={way} isWide />
      <TrialNote />
    </>
  )
}

/** What comes next is under way. */
const toneOf = (isDone: boolean, wasDone: boolean | undefined): 'good' | 'busy' | undefined =>
  isDone ? 'good' : wasDone === true ? 'busy' : undefined

/** Said wherever a proof is made over a development chain, so that nobody relies on it. */
export const TrialNote = () =>
  useIsTrial() && (
    <p className="notice" data-testid="trial">
      <strong>Trial mode: this proof is for practice.</strong> This service writes to a development chain of
      its own, which proves nothing to outsiders.
    </p>
  )
