// The choice of events, each with its meaning and an example request.
import './webhooks.css'

import { EVENT_NAMES, tellEvent } from '../../../shared/wire/webhook_events.ts'
import { FieldProblem } from '../ui/form_field.tsx'
import { exampleOf } from './event_example.ts'

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
      {EVENT_NAMES.map((name) => (
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
            <pre>
              <code>{exampleOf(name)}</code>
            </pre>
          </details>
        </li>
      ))}
    </ul>
  </fieldset>
)
