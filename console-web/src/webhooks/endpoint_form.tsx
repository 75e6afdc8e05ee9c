// The form of a new or existing endpoint. A refusal of the service is shown at its field.
import './webhooks.css'
import { type Dispatch, type FormEvent, type SetStateAction, useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { fieldRefusal } from '../data/refused_fields.ts'
import { useSentForm } from '../data/use_sent_form.ts'
import { Choice } from '../ui/form/choice.tsx'
import { FormField } from '../ui/form/form_field.tsx'
import { FormFoot } from '../ui/form/form_foot.tsx'
import { ENDPOINTS_PATH, type Endpoint, endpointPath, readEndpointDocument } from './endpoint.ts'
import { change, creation, draftOf, type EndpointDraft, movesAway, repeatedHeader } from './endpoint_draft.ts'
import { EventChoice } from './event_choice.tsx'
import { HeaderRows } from './header_rows.tsx'
import { refusedWords } from './refusal_words.ts'
import { TeamField } from './team_field.tsx'

type EndpointFormProps = {
  /** Null for a new endpoint. */
  readonly endpoint: Endpoint | null
  readonly draft: EndpointDraft
  readonly setDraft: Dispatch<SetStateAction<EndpointDraft>>
  readonly onSaved: (endpoint: Endpoint) => void
}

/** The form of an endpoint that exists. */
export const EditedEndpointForm = ({
  endpoint,
  onSaved,
}: { endpoint: Endpoint } & Pick<EndpointFormProps, 'onSaved'>) => {
  const [draft, setDraft] = useState(() => draftOf(endpoint))
  return <EndpointForm endpoint={endpoint} draft={draft} setDraft={setDraft} onSaved={onSaved} />
}

export const EndpointForm = ({ endpoint, draft, setDraft, onSaved }: EndpointFormProps) => {
  const { api } = useConsole()
  const [saved, setSaved] = useState(false)
  const { sending, refused, whole, problem, refuse, send } = useSentForm(refusedWords, UNSURE)
  const set = (part: Partial<EndpointDraft>): void => {
    setSaved(false)
    setDraft((held) => ({ ...held, ...part }))
  }
  const save = async (signal: AbortSignal): Promise<void> => {
    const body = endpoint === null ? creation(draft) : change(endpoint, draft)
    if (body === null) return setSaved(true)
    const answer =
      endpoint === null
        ? await api.post(ENDPOINTS_PATH, body, { signal })
        : await api.patch(endpointPath(endpoint.id), body, signal)
    const kept = readEndpointDocument(answer)
    setDraft(draftOf(kept))
    setSaved(true)
    onSaved(kept)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setSaved(false)
    const twice = repeatedHeader(draft)
    if (twice === null) send(save)
    else refuse(fieldRefusal('custom_headers', `${twice} is there twice.`))
  }

  const moves = movesAway(endpoint, draft)
  const hasSecret = endpoint?.authType === 'bearer'
  return (
    <form className="form-grid endpoint-form" onSubmit={submit} noValidate autoComplete="off">
      <FormField
        label="Address"
        problem={problem('url')}
        note="Called with POST, over https, at a host that anybody can reach."
      >
        {(field) => (
          <input
            {...field}
            data-testid="url"
            type="url"
            inputMode="url"
            placeholder="https://example.com/hooks/pharos"
            value={draft.url}
            onChange={({ target }) => set({ url: target.value })}
            spellCheck={false}
          />
        )}
      </FormField>
      <EventChoice chosen={draft.events} problem={problem('events')} onChange={(events) => set({ events })} />
      <FormField label="Description" problem={problem('description')} note="For people; never sent.">
        {(field) => (
          <input
            {...field}
            data-testid="description"
            value={draft.description}
            onChange={({ target }) => set({ description: target.value })}
          />
        )}
      </FormField>
      <TeamField
        chosen={draft.teamFilterId}
        problem={problem('team_filter_id')}
        onChange={(teamFilterId) => set({ teamFilterId })}
      />
      <Choice
        label="How the receiver knows it is you"
        note={
          draft.authType === 'none'
            ? 'Deliveries carry no credential, and no signature.'
            : 'Each delivery carries Authorization: Bearer with this secret.'
        }
        options={{ none: 'Nothing', bearer: 'Bearer secret' }}
        value={draft.authType}
        onChange={(authType) => set({ authType })}
      />
      {draft.authType === 'bearer' && (
        <FormField
          label="Secret"
          problem={problem('auth_secret')}
          note={
            hasSecret && moves
              ? 'The stored one stays with the host it was given for: type one for the new host.'
              : 'Stored sealed and never shown again.'
          }
        >
          {(field) => (
            <input
              {...field}
              data-testid="secret"
              className="masked"
              value={draft.authSecret}
              placeholder={hasSecret && !moves ? 'Stored. Type a new one to replace it' : ''}
              onChange={({ target }) => set({ authSecret: target.value })}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
            />
          )}
        </FormField>
      )}
      <HeaderRows
        rows={draft.headers}
        stored={endpoint?.headerNames ?? []}
        moves={moves}
        problems={refused.fields}
        onChange={(headers) => set({ headers })}
      />
      {endpoint === null && (
        <label className="check">
          <input
            type="checkbox"
            checked={draft.enabled}
            onChange={({ target }) => set({ enabled: target.checked })}
          />
          <span>Deliver from the start</span>
        </label>
      )}
      <FormFoot
        caption={endpoint === null ? 'Create the endpoint' : 'Save'}
        running="Saving…"
        isRunning={sending}
        testId="save"
        outcome={
          refused.fields.size > 0 ? (
            <span className="problem">See the marked fields above.</span>
          ) : (
            saved && 'Saved.'
          )
        }
        problem={whole}
      />
    </form>
  )
}

const UNSURE =
  'No answer came, so nobody knows whether it was saved. Look at the list of endpoints before you try again.'
