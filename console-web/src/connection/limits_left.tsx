// What the caller may still ask of the API, and the ceilings of the stream.
import './connection.css'
import { useConsole } from '../data/console_context.ts'
import type { RequestBudget } from '../data/request_budget.ts'
import { useStore } from '../data/use_store.ts'
import { TextField } from '../ui/fields.tsx'
import { count } from '../ui/format_count.ts'
import { duration } from '../ui/format_time.ts'
import { useNow } from '../ui/use_now.ts'
import { limitLines } from './connection_words.ts'

export const LimitsLeft = () => {
  const { budget, connection } = useConsole()
  const left = useStore(budget)
  const { welcome } = useStore(connection.facts)
  return (
    <dl className="fields stacked" data-testid="limits">
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
    <small>as of {duration(useNow() - at)} ago; each request uses one, and they come back with time</small>
  </>
)
