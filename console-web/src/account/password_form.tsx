// Changes the password of the account. What is typed is kept nowhere else.
import { type FormEvent, useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { fieldRefusal } from '../data/refused_fields.ts'
import { useSentForm } from '../data/use_sent_form.ts'
import { FormField } from '../ui/form/form_field.tsx'
import { FormFoot } from '../ui/form/form_foot.tsx'
import { useInvalidFocus } from '../ui/form/use_invalid_focus.ts'

const PASSWORD_PATH = '/api/json/users/me/password'

/** The service checks it. Told beforehand, so that nobody has to try. */
const LEAST_CHARACTERS = 12
const MOST_CHARACTERS = 256

/** `email` tells a password manager which account it is. */
export const PasswordForm = ({ email }: { email: string | null }) => {
  const { api } = useConsole()
  const { sending, refused, whole, problem, refuse, send } = useSentForm(FIELDS, UNSURE)
  const form = useInvalidFocus(refused)
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [changed, setChanged] = useState(false)
  const save = async (signal: AbortSignal): Promise<void> => {
    await api.post(PASSWORD_PATH, { data: { current_password: current, new_password: next } }, { signal })
    setCurrent('')
    setNext('')
    setChanged(true)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setChanged(false)
    if (current === '') refuse(fieldRefusal('current_password', 'It is needed.'))
    else if (next === '') refuse(fieldRefusal('new_password', 'It is needed.'))
    else send(save)
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
      <FormField label="Current password" problem={problem('current_password')}>
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
        problem={problem('new_password')}
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
      <FormFoot
        caption="Change the password"
        running="Changing…"
        isRunning={sending}
        testId="change-password"
        outcome={changed && 'Changed. Every other browser and application is signed out.'}
        problem={whole}
      />
    </form>
  )
}

const FIELDS = ['current_password', 'new_password']

const UNSURE =
  'No readable answer came, so it is not known which password is valid now. Try to change it again: if the current one is refused, the new one is valid already.'
