// Sends deliveries again, after an outage of the receiver or when it has lost what it had: how many there are, and how
// far it is.
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/store.ts'
import { useAsked } from '../data/use_asked.ts'
import { useDocument } from '../data/use_document.ts'
import { Button } from '../ui/button.tsx'
import { Check, Choice } from '../ui/form/choice.tsx'
import { InputField } from '../ui/form/form_field.tsx'
import { count, dayAndTime, plural } from '../ui/format.ts'
import { useFocusHeir } from '../ui/use_focus_heir.ts'
import { addressOf, NO_FILTER } from './delivery_filter.ts'
import type { Endpoint } from './endpoint.ts'
import { withEvent } from './endpoint_draft.ts'
import { type Again, countPath, forgetRun, type Run, readCount, runOf, sendAgain } from './send_again.ts'

export const AgainForm = ({ endpoint }: { endpoint: Endpoint }) => {
  const run = useStore(runOf(endpoint.id))
  return run === null ? <Ask endpoint={endpoint} /> : <Progress endpoint={endpoint} run={run} />
}

const DAY_MS = 86_400_000

/** Minutes in UTC, in the form of a time field. */
const minuteOf = (ms: number): string => new Date(ms).toISOString().slice(0, 16)

const WHAT = { lost: 'What was lost', range: 'Everything' } as const

const NOTES = {
  lost: 'What failed for good or was cancelled. What was sent again already is left out.',
  range:
    'Whatever became of it, each once, under the webhook-id that it had. What still waits is left out, and what was sent again later and got through.',
} as const

const Ask = ({ endpoint }: { endpoint: Endpoint }) => {
  const { api, clockOffset } = useConsole()
  const { isAsking, why, ask } = useAsked()
  const [what, setWhat] = useState<keyof typeof WHAT>('lost')
  const [from, setFrom] = useState(() => minuteOf(Date.now() - DAY_MS))
  const [until, setUntil] = useState(() => minuteOf(Date.now()))
  const [events, setEvents] = useState(endpoint.events)
  const [counted, setCounted] = useState<{ readonly path: string; readonly total: number } | null>(null)
  const button = useFocusHeir<HTMLButtonElement>()
  const isRange = what === 'range'
  const range = {
    from: `${from.slice(0, 16)}:00.000Z`,
    until: isRange ? `${until.slice(0, 16)}:59.999Z` : null,
    // Also what was chosen before and is not any more.
    events: isRange && events.length < endpoint.events.length ? events : null,
  }
  const path = countPath({ endpointId: endpoint.id, ...range })
  /** Of this range. Null before it was counted. */
  const total = counted?.path === path ? counted.total : null
  const begin = (): void => {
    // A second for what the clocks differ.
    const startedAt = new Date(Date.now() + clockOffset.read() - 1_000).toISOString()
    // It ends before the first request, which may have to be repeated: what that made is not sent again.
    const until = range.until === null || range.until < startedAt ? range.until : startedAt
    void sendAgain(api, endpoint.id, { ...range, until, startedAt, made: 0, next: range.from })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isRange || total !== null) begin()
    else ask(async ({ api }) => setCounted({ path, ...readCount(await api.get(path)) }))
  }
  const isComplete = from !== '' && (!isRange || (until !== '' && events.length > 0))
  return (
    <form onSubmit={submit} className="again stack">
      <Choice label="What to send again" options={WHAT} note={NOTES[what]} value={what} onChange={setWhat} />
      <InputField
        {...MINUTE}
        label={isRange ? 'Made from (UTC)' : 'Lost since (UTC)'}
        testId="again-from"
        value={from}
        onText={setFrom}
      />
      {isRange && (
        <InputField {...MINUTE} label="Until (UTC)" testId="again-until" value={until} onText={setUntil} />
      )}
      {isRange && endpoint.events.length > 1 && (
        <fieldset className="choice-field">
          <legend>Events</legend>
          {endpoint.events.map((name) => (
            <Check
              key={name}
              isChecked={events.includes(name)}
              testId={`again-${name}`}
              onCheck={(isChosen) => setEvents(withEvent(events, name, isChosen))}
            >
              <code>{name}</code>
            </Check>
          ))}
        </fieldset>
      )}
      <p role="status" data-testid="again-count">
        {total !== null &&
          (total === 0
            ? 'No delivery was made then.'
            : `${plural(total, 'delivery was', 'deliveries were')} made then. Samples are left out, and what was sent twice goes once.`)}
        {why !== null && <span className="problem">{why}</span>}
      </p>
      {!endpoint.enabled && (
        <p className="card-note">
          Enable the endpoint first: while it is off, everything for it is cancelled.
        </p>
      )}
      <button
        ref={button}
        type="submit"
        className={total === null ? 'button' : 'button primary'}
        data-testid="again"
        disabled={isAsking || !endpoint.enabled || !isComplete || total === 0}
      >
        {!isRange ? 'Send again' : isAsking ? 'Counting…' : total === null ? 'Count them' : 'Send them again'}
      </button>
    </form>
  )
}

const MINUTE = { type: 'datetime-local', required: true } as const

/** Milliseconds between two counts of what still waits. */
const COUNT_MS = 2_000
const freshMs = ({ total }: ReturnType<typeof readCount>): number | null => (total > 0 ? COUNT_MS : null)

const Progress = ({ endpoint, run: { again, isAsking, why } }: { endpoint: Endpoint; run: Run }) => {
  const { api } = useConsole()
  const { made, next, startedAt } = again
  const done = useFocusHeir<HTMLButtonElement>()
  const isMade = next === null
  const waiting = useDocument(
    isMade && made > 0 ? countPath({ endpointId: endpoint.id, from: startedAt, status: 'pending' }) : null,
    { read: readCount, freshMs },
  )
  // New events may wait as well.
  const over = waiting.kind === 'found' ? Math.max(0, made - waiting.value.total) : null
  return (
    <div className="again stack">
      <p className="card-note">{rangeWords(again)}</p>
      {made > 0 && isMade && <progress max={made} value={over ?? 0} aria-label="Sent again" />}
      <p role="status" data-testid="again-outcome">
        {isMade ? madeWords(made, over, endpoint) : askingWords(again, isAsking)}
      </p>
      {why !== null && <p className="problem">{why}</p>}
      <div className="acts">
        {!isMade && (
          <Button look="primary" disabled={isAsking} onClick={() => void sendAgain(api, endpoint.id, again)}>
            Go on
          </Button>
        )}
        {made > 0 && (
          <Link
            to={addressOf({ ...NO_FILTER, endpoint: endpoint.id, from: startedAt.slice(0, 16) })}
            className="button"
          >
            See them
          </Link>
        )}
        <Button
          ref={done}
          data-testid="again-done"
          disabled={isAsking}
          onClick={() => forgetRun(endpoint.id)}
        >
          Done
        </Button>
      </div>
    </div>
  )
}

const rangeWords = ({ from, until, events }: Again): string =>
  until === null
    ? `What was lost since ${dayAndTime(from)}.`
    : `What was made from ${dayAndTime(from)} until ${dayAndTime(until)}${events === null ? '' : `, of ${events.join(', ')}`}.`

const madeWords = (made: number, over: number | null, { kind }: Endpoint): string => {
  if (made === 0) return 'There was nothing to send again.'
  const all = plural(made, 'delivery', 'deliveries')
  const done = kind === 'push' ? 'over' : 'read'
  if (over === null) return `${all} to send again.`
  return over === made ? `${all} sent again, and ${done}.` : `${count(over)} of ${all} are ${done}.`
}

const askingWords = ({ made, next }: Again, isAsking: boolean): string =>
  isAsking
    ? `${count(made)} found so far…`
    : `It stopped at ${dayAndTime((next ?? '').split('/')[0] ?? '')}, after ${count(made)}. What was sent again already is left out when it goes on.`
