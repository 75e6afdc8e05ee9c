// Makes an API key. Its secret is shown once, in place of the form.
import './account.css'
import { type FormEvent, useState } from 'react'
import { ApiFailure } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { fieldRefusal, NO_REFUSAL, refusedFields, wholeRefusal } from '../data/refused_fields.ts'
import { useAsked } from '../data/use_asked.ts'
import { FormField } from '../ui/form_field.tsx'
import { ShownOnce } from '../ui/shown_once.tsx'
import { useInvalidFocus } from '../ui/use_invalid_focus.ts'
import { API_KEYS_PATH, expiryOf, type KeyLife, keyCreation, secretOf } from './api_key.ts'

const LIVES = {
  never: 'Never',
  week: 'In 7 days',
  month: 'In 30 days',
  quarter: 'In 90 days',
  year: 'In a year',
  day: 'On a certain day',
} as const

type Life = keyof typeof LIVES

const DAYS: Readonly<Partial<Record<Life, number>>> = { week: 7, month: 30, quarter: 90, year: 365 }

const isLife = (name: string): name is Life => Object.hasOwn(LIVES, name)

/** As long as a name may be. */
const NAME_LENGTH = 100

export const NewKeyForm = ({ onMade }: { onMade: () => void }) => {
  const { api, clockOffset } = useConsole()
  const { state, ask } = useAsked()
  const [name, setName] = useState('')
  const [life, setLife] = useState<Life>('never')
  const [day, setDay] = useState('')
  const [refused, setRefused] = useState(NO_REFUSAL)
  const form = useInvalidFocus(refused)
  const [secret, setSecret] = useState<string | null>(null)
  const [isNext, setNext] = useState(false)

  const make = async (expiresAt: string | null, signal: AbortSignal): Promise<void> => {
    try {
      const made = secretOf(await api.post(API_KEYS_PATH, keyCreation(name, expiresAt), { signal }))
      setSecret(made)
      setNext(true)
      if (made === null) setRefused(wholeRefusal(LOST))
      else setName('')
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      const isUnsure = error.kind === 'unreachable' || error.kind === 'unreadable'
      setRefused(isUnsure ? wholeRefusal(LOST) : refusedFields(error, ['name', 'expires_at']))
    }
    onMade()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const expiry = expiryOf(lifeOf(life, day), Date.now() + clockOffset.read())
    if (name.trim() === '') setRefused(fieldRefusal('name', 'Say what it is for.'))
    else if (expiry === null) setRefused(fieldRefusal('expires_at', 'Choose a day.'))
    else {
      setRefused(NO_REFUSAL)
      ask((signal) => make(expiry.expiresAt, signal))
    }
  }

  if (secret !== null)
    return (
      <ShownOnce title="The new key" what="API key" secret={secret} onDone={() => setSecret(null)}>
        Copy it now: it is not shown again, and the service keeps only its hash. Whoever has it can do what
        you can.
      </ShownOnce>
    )
  return (
    <form ref={form} className="card form-grid" onSubmit={submit} noValidate autoComplete="off">
      <h2>New key</h2>
      <FormField label="Name" problem={refused.fields.get('name')} note="What it is for, to find it again.">
        {(field) => (
          <input
            {...field}
            data-testid="key-name"
            // The secret before took the place of this form, and the focus with it.
            // biome-ignore lint/a11y/noAutofocus: only then
            autoFocus={isNext}
            value={name}
            maxLength={NAME_LENGTH}
            placeholder="Nightly job"
            onChange={({ target }) => {
              setRefused(NO_REFUSAL)
              setName(target.value)
            }}
          />
        )}
      </FormField>
      <FormField label="Expires" problem={life === 'day' ? undefined : refused.fields.get('expires_at')}>
        {(field) => (
          <select
            {...field}
            data-testid="key-life"
            value={life}
            onChange={({ target }) => isLife(target.value) && setLife(target.value)}
          >
            {Object.entries(LIVES).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        )}
      </FormField>
      {life === 'day' && (
        <FormField
          label="Last day"
          problem={refused.fields.get('expires_at')}
          note="It works to the end of this day, UTC."
        >
          {(field) => (
            <input
              {...field}
              type="date"
              data-testid="key-day"
              value={day}
              onChange={({ target }) => setDay(target.value)}
            />
          )}
        </FormField>
      )}
      <div className="form-foot">
        <button
          type="submit"
          className="button primary"
          data-testid="make-key"
          disabled={state.kind === 'asking'}
        >
          {state.kind === 'asking' ? 'Creating…' : 'Create the key'}
        </button>
      </div>
      {(refused.whole !== null || state.kind === 'failed') && (
        <p className="problem" role="alert" data-testid="form-problem">
          {refused.whole ?? (state.kind === 'failed' && state.why)}
        </p>
      )}
    </form>
  )
}

const LOST =
  'No readable answer came. If the key stands in the list, its secret was lost on the way: revoke it and create another.'

const lifeOf = (life: Life, day: string): KeyLife => {
  if (life === 'never') return null
  const days = DAYS[life]
  return days === undefined ? { until: day } : { days }
}
