// The password of the account.
import { AccountPage } from '../../account/account_page.tsx'
import { ME_PATH, readMe } from '../../account/me.ts'
import { PasswordForm } from '../../account/password_form.tsx'
import { useDocument } from '../../data/use_document.ts'
import { Shown } from '../../ui/shown_text.tsx'

export const PasswordPage = () => {
  const me = useDocument(ME_PATH, { read: readMe })
  const email = me.kind === 'found' ? me.value.email : null
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
          <section className="card" aria-labelledby="what-ends">
            <h2 id="what-ends">What a change ends</h2>
            <p className="card-note">
              Every other browser is signed out, and what applications were allowed is taken back. API keys go
              on: revoke those that somebody else may know.
            </p>
          </section>
          <section className="card" aria-labelledby="no-password">
            <h2 id="no-password">No password, or forgotten</h2>
            <p className="card-note">
              An account may have none yet, such as one that was made with a key. The first one, like a new
              one in place of a forgotten one, comes by a one-time link, which whoever operates this service
              makes:
            </p>
            <div className="command">
              <code>npm run pharos -- user reset-password --email {email ?? ''}</code>
            </div>
          </section>
        </>
      }
    >
      <div className="main-side">
        <PasswordForm email={email} />
      </div>
    </AccountPage>
  )
}
