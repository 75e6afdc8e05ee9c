// What an endpoint hears about: its owner's items or other endpoints, which events of them, each with its meaning and
// an example, and of whose items.
import { EVENTS, type EventName, eventsOf, tellEvent } from '../../../shared/wire/webhook_events.ts'
import { pageOf } from '../data/resource.ts'
import { shape, text } from '../data/shape.ts'
import { useDocument } from '../data/use_document.ts'
import { Check, Choice } from '../ui/form/choice.tsx'
import { FieldProblem, SelectField } from '../ui/form/form_field.tsx'
import { type DraftParts, type EndpointDraft, withEvent } from './endpoint_draft.ts'

const ABOUT = { item: 'Items', webhook_endpoint: 'Your other endpoints' } as const

export const EventsField = (parts: DraftParts) => {
  const { endpoint, draft, problem, set } = parts
  const { resourceType, events } = draft
  return (
    <>
      {endpoint === null && (
        <Choice
          label="What it hears about"
          options={ABOUT}
          value={resourceType}
          note={
            resourceType === 'item'
              ? 'Items that you hand in, or those of one of your teams.'
              : 'Another endpoint of yours fails, is switched off, or gets a new key. It never hears about itself.'
          }
          onChange={(about) => set({ resourceType: about, events: eventsOf(about), teamFilterId: null })}
        />
      )}
      <fieldset className="choice-field event-choice">
        <legend>Events</legend>
        <FieldProblem>{problem('events')}</FieldProblem>
        <ul className="card flush list">
          {eventsOf(resourceType).map((name) => (
            <li key={name}>
              <Check
                isChecked={events.includes(name)}
                testId={`event-${name}`}
                onCheck={(isChosen) => set({ events: withEvent(events, name, isChosen) })}
              >
                <code>{name}</code>
                <small>{tellEvent(name)}</small>
              </Check>
              <details>
                <summary aria-label={`Example of ${name}`}>Example</summary>
                <pre className="snippet">
                  <code>{exampleOf(name, draft)}</code>
                </pre>
              </details>
            </li>
          ))}
        </ul>
      </fieldset>
      {resourceType === 'item' && <TeamField {...parts} />}
    </>
  )
}

/** The request that a receiver gets for an event, as text. A reader gets the same headers and the same body. */
const exampleOf = (name: EventName, { kind, signing }: EndpointDraft): string =>
  [
    ...(kind === 'push' ? ['POST /your/path HTTP/1.1'] : []),
    'content-type: application/json',
    'user-agent: pharos-Webhook/1.0',
    'webhook-id: msg_01MB78W7FGY7TZHKNWE7WA3Z57',
    `x-pharos-event: ${name}`,
    'x-pharos-delivery: 01a2ce8e-9320-7630-bb7f-73edc8868b1d',
    'x-pharos-timestamp: 1798761613',
    ...(signing === 'none' ? [] : ['webhook-timestamp: 1798761613', `webhook-signature: ${signing},…`]),
    '',
    JSON.stringify({ type: name, timestamp: 1_798_761_612, data: EVENTS[name].example }, null, 2),
  ].join('\n')

/** Everything that the owner submits, or the items of one of the owner's teams. */
const TeamField = ({ draft: { teamFilterId: chosen }, problem, set }: DraftParts) => {
  const loaded = useDocument('/api/json/teams?page[limit]=250', { read: readTeams })
  const teams = loaded.kind === 'found' ? loaded.value.rows : []
  const isListed = chosen === null || teams.some(({ id }) => id === chosen)
  const gone = !isListed && loaded.kind === 'found'
  return (
    <SelectField
      label="Whose items"
      problem={problem('team_filter_id')}
      note={gone ? 'You do not belong to this team any more, so nothing of it is delivered.' : undefined}
      testId="team"
      value={chosen ?? ''}
      options={[
        ['', 'Everything that I submit'],
        ...teams.map(({ id, name }) => [id, `Items of ${name}`] as const),
        ...(isListed ? [] : [[chosen, `Team ${chosen}`] as const]),
      ]}
      onChoose={(id) => set({ teamFilterId: id === '' ? null : id })}
    />
  )
}

const readTeams = pageOf(shape({ id: text, name: text }))
