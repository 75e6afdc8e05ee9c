// The form of a new or existing endpoint. A refusal of the service is shown at its field.
import { type Dispatch, type SetStateAction, useState } from 'react'
import { toldOnce } from '../data/resource.ts'
import type { Act } from '../data/use_asked.ts'
import { fieldRefusal, useSentForm } from '../data/use_sent_form.ts'
import { Check, Choice } from '../ui/form/choice.tsx'
import { InputField } from '../ui/form/form_field.tsx'
import { SentForm } from '../ui/form/sent_form.tsx'
import { type Endpoint, endpoints } from './endpoint.ts'
import { change, creation, type DraftParts, draftOf, refusedWords, repeatedHeader } from './endpoint_draft.ts'
import { EventsField } from './events_field.tsx'
import { SentAlong } from './sent_along.tsx'
import { SigningChoice } from './signing.tsx'

type EndpointFormProps = Pick<DraftParts, 'endpoint' | 'draft'> & {
  readonly setDraft: Dispatch<SetStateAction<DraftParts['draft']>>
  /** `secret` signs the deliveries of a new endpoint, and is told this once. */
  readonly onSaved?: (endpoint: Endpoint, secret: string | null) => void
}

/** The form of an endpoint that exists. */
export const EditedEndpointForm = ({ endpoint }: { endpoint: Endpoint }) => {
  const [draft, setDraft] = useState(() => draftOf(endpoint))
  return <EndpointForm endpoint={endpoint} draft={draft} setDraft={setDraft} />
}

const KINDS = { push: 'It is called', pull: 'It asks' } as const

export const EndpointForm = ({ endpoint, draft, setDraft, onSaved }: EndpointFormProps) => {
  const save: Act = async ({ api }) => {
    const body = endpoint === null ? creation(draft) : change(endpoint, draft)
    if (body === null) return
    const answer =
      endpoint === null
        ? await api.post(endpoints.path, body)
        : await api.patch(endpoints.at(endpoint.id), body)
    const kept = endpoints.readOne(answer)
    setDraft(draftOf(kept))
    onSaved?.(kept, toldOnce(answer, 'signing_secret'))
  }
  const attempt = () => {
    const twice = repeatedHeader(draft)
    return twice === null ? save : fieldRefusal('custom_headers', `${twice} is there twice.`)
  }
  const form = useSentForm({}, UNSURE, attempt, refusedWords)
  const { problem } = form
  const set: DraftParts['set'] = (part) => {
    form.changed()
    setDraft((held) => ({ ...held, ...part }))
  }
  const parts: DraftParts = { endpoint, draft, problem, set }
  const isNew = endpoint === null
  const isCalled = draft.kind === 'push'
  return (
    <SentForm
      form={form}
      className="endpoint-form"
      caption={isNew ? 'Create the endpoint' : 'Save'}
      running="Saving…"
      testId="save"
      outcome={
        [...form.refused.keys()].some((field) => field !== null) ? (
          <span className="problem">See the marked fields above.</span>
        ) : (
          form.isDone && 'Saved.'
        )
      }
    >
      {isNew && (
        <Choice
          label="How it is told"
          options={KINDS}
          value={draft.kind}
          note={
            isCalled
              ? 'The service sends each event to an address of yours (push).'
              : 'Nothing is sent: a program of yours asks the service for what is new (pull). For places that nothing reaches from outside.'
          }
          onChange={(kind) => set({ kind })}
        />
      )}
      {isCalled && (
        <InputField
          label="Address"
          problem={problem('url')}
          note="Called with POST, over https, at a host that anybody can reach."
          testId="url"
          type="url"
          inputMode="url"
          placeholder="https://example.com/hooks/pharos"
          value={draft.url}
          onText={(url) => set({ url })}
          spellCheck={false}
        />
      )}
      <EventsField {...parts} />
      <InputField
        label="Description"
        problem={problem('description')}
        note="For people; never sent."
        testId="description"
        value={draft.description}
        onText={(description) => set({ description })}
      />
      {isNew && <SigningChoice value={draft.signing} onChange={(signing) => set({ signing })} />}
      {isCalled && (
        <>
          <SentAlong {...parts} />
          <InputField
            label="Requests a second, at most"
            problem={problem('max_per_second')}
            note="From 1 to 1,000. Empty: as many as it answers."
            testId="max-per-second"
            inputMode="numeric"
            value={draft.maxPerSecond}
            onText={(maxPerSecond) => set({ maxPerSecond })}
          />
        </>
      )}
      {isNew && (
        <Check isChecked={draft.enabled} onCheck={(enabled) => set({ enabled })}>
          {isCalled ? 'Deliver from the start' : 'Keep events for it from the start'}
        </Check>
      )}
    </SentForm>
  )
}

const UNSURE =
  'No answer came, so nobody knows whether it was saved. Look at the list of endpoints before you try again.'
