// The password of the account.
import { AccountPage } from '../../account/account_page.tsx'
import { fieldRefusal, useSentForm } from '../../data/use_sent_form.ts'
import { useMe } from '../../session/me.ts'
import { Command } from '../../ui/copy_button.tsx'
import { InputField } from '../../ui/form/form_field.tsx'
import { SentForm } from '../../ui/form/sent_form.tsx'
import { Card } from '../../ui/section.tsx'
import { Shown } from '../../ui/shown_text.tsx'

export const PasswordPage = () => {
  const email = useMe()?.email ?? null
  return (
    <AccountPage
      title="Password"
      intro={
        <>
          With it you sign in here, and allow applications to act for you
          {email !== null && (
            <>
              , as <Shown text={email} />
            </>
          )}
          .
        </>
      }
      side={
        <>
          <Card title="What a change ends">
            <p className="card-note">
              Every other browser is signed out, and what applications were allowed is taken back. API keys go
              on: revoke those that somebody else may know.
            </p>
          </Card>
          <Card title="No password, or forgotten">
            <p className="card-note">
              An account may have none yet, such as one that was made with a key. The first one, like a new
              one in place of a forgotten one, comes by a one-time link, which whoever operates this service
              makes:
            </p>
            <Command text={`npm run pharos -- user reset-password --email ${email ?? ''}`} />
          </Card>
        </>
      }
    >
      <div className="main-side">
        <PasswordForm email={email} />
      </div>
    </AccountPage>
  )
}

const PASSWORD_PATH = '/api/json/users/me/password'

/** The service checks it. Told beforehand, so that nobody has to try. */
const LEAST_CHARACTERS = 12
const MOST_CHARACTERS = 256

/** `email` tells a password manager which account it is. */
const PasswordForm = ({ email }: { email: string | null }) => {
  const form = useSentForm(EMPTY, UNSURE, (data, set) => {
    if (data.current_password === '') return fieldRefusal('current_password', 'It is needed.')
    if (data.new_password === '') return fieldRefusal('new_password', 'It is needed.')
    return async ({ api }) => {
      await api.post(PASSWORD_PATH, { data })
      set(EMPTY)
    }
  })
  return (
    <SentForm
      form={form}
      className="card"
      caption="Change the password"
      running="Changing…"
      testId="change-password"
      outcome={form.isDone && 'Changed. Every other browser and application is signed out.'}
    >
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
      <InputField
        label="Current password"
        type="password"
        testId="current-password"
        autoComplete="current-password"
        maxLength={MOST_CHARACTERS}
        {...form.field('current_password')}
      />
      <InputField
        label="New password"
        note={`At least ${LEAST_CHARACTERS} characters, any of them. A few words are easy to remember.`}
        type="password"
        testId="new-password"
        autoComplete="new-password"
        maxLength={MOST_CHARACTERS}
        {...form.field('new_password')}
      />
    </SentForm>
  )
}

const EMPTY = { current_password: '', new_password: '' }

const UNSURE =
  'No readable answer came, so it is not known which password is valid now. Try to change it again: if the current one is refused, the new one is valid already.'
