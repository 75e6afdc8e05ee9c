// Changes the password of the account. What is typed is kept nowhere else.
import './account.css'
import { type FormEvent, useState } from 'react'
import { ApiFailure } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { fieldRefusal, NO_REFUSAL, refusedFields, wholeRefusal } from '../data/refused_fields.ts'
import { useAsked } from '../data/use_asked.ts'
import { FormField } from '../ui/form_field.tsx'
import { useInvalidFocus } from '../ui/use_invalid_focus.ts'

const PASSWORD_PATH = '/api/json/users/me/password'

/** The service checks it. Told beforehand, so that nobody has to try. */
const LEAST_CHARACTERS = 12
const MOST_CHARACTERS = 256

/** `email` tells a password manager which account it is. */
export const PasswordForm = ({ email }: { email: string | null }) => {
  const { api } = useConsole()
  const { state, ask } = useAsked()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [refused, setRefused] = useState(NO_REFUSAL)
  const form = useInvalidFocus(refused)
  const [changed, setChanged] = useState(false)
  const save = async (signal: AbortSignal): Promise<void> => {
    try {
      await api.post(PASSWORD_PATH, { data: { current_password: current, new_password: next } }, { signal })
      setCurrent('')
      setNext('')
      setChanged(true)
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      const isUnsure = error.kind === 'unreachable' || error.kind === 'unreadable'
      setRefused(isUnsure ? wholeRefusal(UNSURE) : refusedFields(error, FIELDS))
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setChanged(false)
    const missing = current === '' ? 'current_password' : next === '' ? 'new_password' : null
    setRefused(missing === null ? NO_REFUSAL : fieldRefusal(missing, 'It is needed.'))
    if (missing === null) ask(save)
  }
  return (
    <form ref={form} className="card form-grid" onSubmit={submit} noValidate>
      <h2>Change it</h2>
      <input
        className="visually-hidden"
        type="email"
        autoComplete="username"
        value={email ?? ''}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <FormField label="Current password" problem={refused.fields.get('current_password')}>
        {(field) => (
          <input
            {...field}
            type="password"
            data-testid="current-password"
            autoComplete="current-password"
            maxLength={MOST_CHARACTERS}
            value={current}
            onChange={({ target }) => setCurrent(target.value)}
          />
        )}
      </FormField>
      <FormField
        label="New password"
        problem={refused.fields.get('new_password')}
        note={`At least ${LEAST_CHARACTERS} characters, any of them. A few words are easy to remember.`}
      >
        {(field) => (
          <input
            {...field}
            type="password"
            data-testid="new-password"
            autoComplete="new-password"
            maxLength={MOST_CHARACTERS}
            value={next}
            onChange={({ target }) => setNext(target.value)}
          />
        )}
      </FormField>
      <div className="form-foot">
        <button
          type="submit"
          className="button primary"
          data-testid="change-password"
          disabled={state.kind === 'asking'}
        >
          {state.kind === 'asking' ? 'Changing…' : 'Change the password'}
        </button>
        <p role="status" data-testid="form-outcome">
          {changed && 'Changed. Every other browser and application is signed out.'}
        </p>
      </div>
      {(refused.whole !== null || state.kind === 'failed') && (
        <p className="problem" role="alert" data-testid="form-problem">
          {refused.whole ?? (state.kind === 'failed' && state.why)}
        </p>
      )}
    </form>
  )
}

const FIELDS = ['current_password', 'new_password']

const UNSURE =
  'No readable answer came, so it is not known which password is valid now. Try to change it again: if the current one is refused, the new one is valid already.'
