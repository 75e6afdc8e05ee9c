// What arrived at an address, newest first. One request is open at a time, the newest until another is chosen.
import { useState } from 'react'
import { Link } from 'wouter'
import { TextBox, TextField } from '../ui/fields.tsx'
import { utcClock } from '../ui/format.ts'
import { Pill } from '../ui/pill.tsx'
import { shownText } from '../ui/shown_text.tsx'
import { Ago, Time } from '../ui/time.tsx'
import type { Arrival } from './receiver.ts'
import { bodyText, bodyWords, eventOf, secretWords, signatureWords, timesSeen } from './receiver_words.ts'

export const ArrivalList = ({ arrivals }: { arrivals: readonly Arrival[] }) => {
  const [chosen, setChosen] = useState<string | null>(null)
  const open = chosen ?? arrivals[0]?.id
  return (
    <ol className="card flush list arrivals" data-testid="arrivals">
      {arrivals.map((arrival, at) => (
        <li key={arrival.id} data-testid="arrival" data-answered={arrival.answered}>
          <button
            type="button"
            className="list-row"
            aria-expanded={arrival.id === open}
            onClick={() => setChosen(arrival.id === open ? '' : arrival.id)}
          >
            <Time at={arrival.at}>{utcClock(arrival.at)}</Time>
            <strong className="cut">
              {shownText(eventOf(arrival)) || 'A request'}
              <Times count={timesSeen(arrivals, at)} />
            </strong>
            <span className="arrival-ago soft">
              <Ago time={arrival.at} />
            </span>
            <Pill tone={ANSWERED[arrival.answered].tone}>{ANSWERED[arrival.answered].words}</Pill>
          </button>
          {arrival.id === open && <Contents arrival={arrival} />}
        </li>
      ))}
    </ol>
  )
}

/** Says that an event has come before, because it was tried again or sent again. */
const Times = ({ count: times }: { count: number }) =>
  times > 1 && <small className="arrival-times">the same event, {times} times by now</small>

/** A request is listed when it arrives, so nothing is said to be answered yet. */
const ANSWERED = {
  ok: { tone: 'good', words: '200' },
  slow: { tone: 'good', words: '200 after 5 s' },
  error: { tone: 'bad', words: '500' },
  never: { tone: 'bad', words: 'no answer' },
} as const

const Contents = ({ arrival }: { arrival: Arrival }) => (
  <div className="arrival-contents">
    <dl className="fields box">
      <TextField name="delivery">
        {arrival.deliveryId === null ? (
          'none of yours'
        ) : (
          <Link to={`/webhooks/deliveries/${arrival.deliveryId}`} data-testid="arrival-delivery">
            What the service recorded about it
          </Link>
        )}
      </TextField>
      <TextField name="signature">
        <span data-testid="arrival-signature">{signatureWords(arrival)}</span>
      </TextField>
      <TextField name="bearer secret">
        <span data-testid="arrival-secret" data-secret={arrival.secret}>
          {secretWords(arrival)}
        </span>
      </TextField>
    </dl>
    <h3>{`${arrival.method} with these headers`}</h3>
    <dl className="fields sent-headers" data-testid="arrival-headers">
      {arrival.headers.map(({ name, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name may be there twice, and the list never changes
        <div key={at}>
          <dt>{shownText(name)}</dt>
          <dd>{value === null ? <em>hidden</em> : shownText(value)}</dd>
        </div>
      ))}
    </dl>
    <h3>
      Body <small>{bodyWords(arrival)}</small>
    </h3>
    <TextBox text={arrival.body} what="body" testId="arrival-body" shown={bodyText(arrival)} />
  </div>
)
