// The API keys of the account: those that there are, and a new one.
import { AccountList, AccountPage, useAccountList } from '../../account/account_page.tsx'
import { type ApiKey, apiKeys, stateOf } from '../../account/api_key.ts'
import { NewKeyForm } from '../../account/new_key_form.tsx'
import { useConsole } from '../../data/console_context.ts'
import { EndButton } from '../../ui/form/end_button.tsx'
import { Pill } from '../../ui/pill.tsx'
import { nameText, Shown, shownText } from '../../ui/shown_text.tsx'
import { AgoFact } from '../../ui/time.tsx'
import { useServiceTime } from '../../ui/use_now.ts'

export const ApiKeysPage = () => {
  const list = useAccountList(apiKeys)
  return (
    <AccountPage
      title="API keys"
      intro="For programs of yours. Each may do what you may, until it expires or you revoke it."
      side={<NewKeyForm onMake={list.toFirst} />}
    >
      <AccountList
        list={list}
        what="the keys"
        label="API keys"
        empty={
          <p className="notice" data-tone="calm">
            You have no keys.
          </p>
        }
        row={(apiKey) => <KeyRow key={apiKey.id} apiKey={apiKey} />}
      />
    </AccountPage>
  )
}

const KeyRow = ({ apiKey }: { apiKey: ApiKey }) => {
  const { by } = useConsole()
  const state = useServiceTime((now) => stateOf(apiKey, now))
  const isHere = by.kind === 'key' && by.key.startsWith(apiKey.prefix) && state === 'active'
  return (
    <li className="list-row" data-testid="key-row" data-state={state}>
      <div className="about">
        <h2>
          <Shown text={nameText(apiKey.name)} />
          {state !== 'active' && <Pill tone={state === 'expired' ? 'warn' : undefined}>{state}</Pill>}
          {isHere && <Pill tone="good">signed in with it here</Pill>}
        </h2>
        <code>{apiKey.prefix}…</code>
        <p className="facts">
          <AgoFact words="Last used" time={apiKey.lastUsedAt} />
          {/* The use by this page itself is written down a little later. */}
          {apiKey.lastUsedAt === null && !isHere && <span>Not used yet</span>}
          <AgoFact words="Made" time={apiKey.insertedAt} />
          {state === 'active' && apiKey.expiresAt === null && <span>Does not expire</span>}
          {state === 'active' && <AgoFact words="Expires" time={apiKey.expiresAt} />}
          {state === 'expired' && <AgoFact words="Expired" time={apiKey.expiresAt} />}
          <AgoFact words="Revoked" time={apiKey.revokedAt} />
        </p>
      </div>
      {state === 'active' && (
        <EndButton
          caption="Revoke…"
          label={`Revoke ${shownText(nameText(apiKey.name))}`}
          title="Revoke this key?"
          words={{ no: 'Keep it', yes: 'Revoke it', running: 'Revoking…' }}
          testId="revoke-key"
          end={({ api }) => api.delete(apiKeys.at(apiKey.id))}
        >
          <p>
            <strong className="named">
              <Shown text={nameText(apiKey.name)} />
            </strong>{' '}
            <code>{apiKey.prefix}…</code>
          </p>
          <p>
            What uses it stops working, within a minute everywhere, and it cannot be made valid again.
            {isHere && ' You are signed in with it here, so this page will be signed out.'}
          </p>
        </EndButton>
      )}
    </li>
  )
}
