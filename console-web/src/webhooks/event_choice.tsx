// The choice of events, each with its meaning and an example request.
import './webhooks.css'

import { EVENTS, type EventName, ITEM_EVENTS, tellEvent } from '../../../shared/wire/webhook_events.ts'
import { FieldProblem } from '../ui/form/form_field.tsx'

type EventChoiceProps = {
  readonly chosen: readonly string[]
  readonly problem: string | undefined
  readonly onChange: (chosen: readonly string[]) => void
}

export const EventChoice = ({ chosen, problem, onChange }: EventChoiceProps) => (
  <fieldset className="choice-field event-choice">
    <legend>Events</legend>
    <FieldProblem>{problem}</FieldProblem>
    <ul>
      {ITEM_EVENTS.map((name) => (
        <li key={name}>
          <label>
            <input
              type="checkbox"
              data-testid={`event-${name}`}
              checked={chosen.includes(name)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
              }
            />
            <span>
              <code>{name}</code>
              <small>{tellEvent(name)}</small>
            </span>
          </label>
          <details>
            <summary aria-label={`Example of ${name}`}>Example</summary>
            <pre className="snippet">
              <code>{exampleOf(name)}</code>
            </pre>
          </details>
        </li>
      ))}
    </ul>
  </fieldset>
)

/** The request that a receiver gets for an event, as text. */
const exampleOf = (name: EventName): string =>
  [
    'POST /your/path HTTP/1.1',
    'content-type: application/json',
    'user-agent: pharos-Webhook/1.0',
    'webhook-id: msg_01MB78W7FGY7TZHKNWE7WA3Z57',
    `x-pharos-event: ${name}`,
    'x-pharos-delivery: 01a2ce8e-9320-7630-bb7f-73edc8868b1d',
    'x-pharos-timestamp: 1798761613',
    '',
    JSON.stringify({ type: name, timestamp: 1_798_761_612, data: EVENTS[name].example }, null, 2),
  ].join('\n')
