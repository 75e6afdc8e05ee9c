// What the page of the connection tells: how the stream reaches this tab and how long an answer takes, when it was
// interrupted, and what is left of the limits.
import './connection.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import type { RequestBudget } from '../data/request_budget.ts'
import { useStore } from '../data/store.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/fields.tsx'
import { count, duration, utc } from '../ui/format.ts'
import { Time } from '../ui/time.tsx'
import { useNow } from '../ui/use_now.ts'
import { breakWords, limitLines, roundTripWords, skewWords, transportWords } from './connection_words.ts'

export const ConnectionFactList = () => {
  const { connection, clockOffset } = useConsole()
  const { transport, since, welcome } = useStore(connection.facts)
  const offset = useStore(clockOffset)
  const now = useNow((now) => now)
  const roundTrip = useRoundTrip(since)
  return (
    <dl className="fields stacked" data-testid="connection-facts">
      <TextField name="Transport">{transportWords(transport)}</TextField>
      {since !== null && <TextField name="Connected for">{duration(now - since)}</TextField>}
      <TextField name="Round trip">
        {roundTrip.data === undefined ? (
          'Not measured yet'
        ) : (
          <>
            {roundTripWords(roundTrip.data)}{' '}
            <small>a command and its acknowledgement, {duration(now - roundTrip.dataUpdatedAt)} ago</small>
          </>
        )}
      </TextField>
      {welcome !== null && (
        <TextField name="Server’s clock">
          {utc(new Date(now + offset).toISOString())} UTC <small>{skewWords(offset)}</small>
        </TextField>
      )}
    </dl>
  )
}

const EVERY_MS = 15_000

/** Milliseconds, measured while the page is shown: at once, and now and then. Of each connection anew. */
const useRoundTrip = (since: number | null) => {
  const { live } = useConsole()
  return useQuery({
    queryKey: ['round_trip', since],
    queryFn: async () => {
      const startedAt = performance.now()
      await live.probe()
      return performance.now() - startedAt
    },
    enabled: since !== null,
    refetchInterval: EVERY_MS,
  })
}

const FIRST_SHOWN = 10

/** The interruptions, newest first. */
export const BreakList = () => {
  const { connection, clockOffset } = useConsole()
  const { breaks } = useStore(connection.facts)
  const offset = useStore(clockOffset)
  const now = useNow((now) => now)
  const [all, setAll] = useState(false)
  if (breaks.length === 0) return <p className="card-note">None since this tab was opened.</p>
  return (
    <>
      <ol className="break-list" data-testid="breaks">
        {breaks.slice(0, all ? undefined : FIRST_SHOWN).map((one) => {
          const at = new Date(one.from + offset).toISOString()
          return (
            <li key={one.from} className="pair" data-open={one.until === null}>
              <Time at={at}>{utc(at)}</Time>
              <span>{breakWords(one, now)}</span>
            </li>
          )
        })}
      </ol>
      {!all && breaks.length > FIRST_SHOWN && (
        <Button look="text" onClick={() => setAll(true)}>
          Show all {breaks.length}
        </Button>
      )}
    </>
  )
}

/** What the caller may still ask of the API, and the ceilings of the stream. */
export const LimitsLeft = () => {
  const { budget, connection } = useConsole()
  const left = useStore(budget)
  const { welcome } = useStore(connection.facts)
  return (
    <dl className="fields" data-testid="limits">
      <TextField name="Requests left">{left === null ? 'Not known yet' : <Left budget={left} />}</TextField>
      {welcome !== null &&
        limitLines(welcome.limits).map(({ name, words }) => (
          <TextField key={name} name={name}>
            {words}
          </TextField>
        ))}
    </dl>
  )
}

const Left = ({ budget: { remaining, limit, windowMs, at } }: { budget: RequestBudget }) => (
  <>
    {count(remaining)} of {count(limit)} in {windowMs === 60_000 ? 'a minute' : duration(windowMs)}
    <meter
      className="limit-meter"
      min={0}
      max={limit}
      low={limit / 5}
      value={remaining}
      aria-label="Requests left"
    />
    <small>
      as of {useNow((now) => duration(now - at))} ago; each request uses one, and they come back with time
    </small>
  </>
)
