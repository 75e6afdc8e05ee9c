// Makes an API key. Its secret is shown once, in place of the form.
import { useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { toldOnce } from '../data/resource.ts'
import { needed } from '../data/shape.ts'
import { fieldRefusal, useSentForm } from '../data/use_sent_form.ts'
import type { Options } from '../ui/form/choice.tsx'
import { InputField, SelectField } from '../ui/form/form_field.tsx'
import { SentForm } from '../ui/form/sent_form.tsx'
import { ShownOnce } from '../ui/form/shown_once.tsx'
import { apiKeys, expiryOf, keyCreation } from './api_key.ts'

const LIVES: Options<string> = [
  ['never', 'Never'],
  ['7', 'In 7 days'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
  ['day', 'On a certain day'],
]

/** As long as a name may be. */
const NAME_LENGTH = 100

const NEW_KEY = { name: '', expires_at: 'never', day: '' }

/** `onMake` shows where the new key will stand. */
export const NewKeyForm = ({ onMake }: { onMake: () => void }) => {
  const { clockOffset } = useConsole()
  const [secret, setSecret] = useState<string | null>(null)

  const form = useSentForm(NEW_KEY, LOST, ({ name, expires_at: life, day }, set) => {
    const expiresAt = expiryOf(life, day, Date.now() + clockOffset.read())
    if (name.trim() === '') return fieldRefusal('name', 'Say what it is for.')
    if (expiresAt === undefined) return fieldRefusal('expires_at', 'Choose a day.')
    return async ({ api }) => {
      onMake()
      const answer = await api.post(apiKeys.path, keyCreation(name, expiresAt))
      setSecret(needed(toldOnce(answer, 'secret')))
      set({ name: '' })
    }
  })
  const { expires_at: life, day } = form.values

  if (secret !== null)
    return (
      <ShownOnce title="The new key" what="API key" secret={secret} onDone={() => setSecret(null)}>
        Copy it now: it is not shown again, and the service keeps only its hash. Whoever has it can do what
        you can.
      </ShownOnce>
    )
  return (
    <SentForm form={form} className="card" caption="Create the key" running="Creating…" testId="make-key">
      <h2>New key</h2>
      <InputField
        label="Name"
        note="What it is for, to find it again."
        testId="key-name"
        // The secret before took the place of this form, and the focus with it.
        autoFocus={form.isDone}
        maxLength={NAME_LENGTH}
        placeholder="Nightly job"
        {...form.field('name')}
      />
      <SelectField
        label="Expires"
        problem={life === 'day' ? undefined : form.problem('expires_at')}
        testId="key-life"
        value={life}
        options={LIVES}
        onChoose={(life) => form.set({ expires_at: life })}
      />
      {life === 'day' && (
        <InputField
          label="Last day"
          problem={form.problem('expires_at')}
          note="It works to the end of this day, UTC."
          type="date"
          testId="key-day"
          value={day}
          onText={(day) => form.set({ day })}
        />
      )}
    </SentForm>
  )
}

const LOST =
  'No readable answer came. If the key stands in the list, its secret was lost on the way: revoke it and create another.'
