// The API keys of the account: those that there are, and a new one.
import { useState } from 'react'
import { AccountList } from '../../account/account_list.tsx'
import { AccountPage } from '../../account/account_page.tsx'
import { API_KEYS_PATH, type ApiKey, apiKeyPath, readApiKeyPage, stateOf } from '../../account/api_key.ts'
import { NewKeyForm } from '../../account/new_key_form.tsx'
import { useConsole } from '../../data/console_context.ts'
import { useStore } from '../../data/store.ts'
import { useDocument } from '../../data/use_document.ts'
import { EndButton } from '../../ui/form/end_button.tsx'
import { Shown, shownText } from '../../ui/shown_text.tsx'
import { Ago } from '../../ui/time.tsx'
import { useNow } from '../../ui/use_now.ts'

const FIRST_PAGE = `${API_KEYS_PATH}?page[limit]=50`

export const ApiKeysPage = () => {
  const [path, setPath] = useState(FIRST_PAGE)
  const loaded = useDocument(path, { read: readApiKeyPage })
  const made = (): void => {
    setPath(FIRST_PAGE)
    loaded.again()
  }
  return (
    <AccountPage
      title="API keys"
      intro="For programs of yours. Each may do what you may, until it expires or you revoke it."
      side={<NewKeyForm onMade={made} />}
    >
      <AccountList
        loaded={loaded}
        what="the keys"
        label="API keys"
        empty={
          <p className="notice" data-tone="calm">
            You have no keys.
          </p>
        }
        row={(apiKey) => <KeyRow key={apiKey.id} apiKey={apiKey} onChanged={loaded.again} />}
        onPage={setPath}
      />
    </AccountPage>
  )
}

type KeyRowProps = { readonly apiKey: ApiKey; readonly onChanged: () => void }

const KeyRow = ({ apiKey, onChanged }: KeyRowProps) => {
  const { api, by, clockOffset } = useConsole()
  const state = stateOf(apiKey, useNow() + useStore(clockOffset))
  const isHere = by.kind === 'key' && by.key.startsWith(apiKey.prefix) && state === 'active'
  return (
    <li className="list-row" data-testid="key-row" data-state={state}>
      <div className="about">
        <h2>
          <Shown text={apiKey.name} />
          {state !== 'active' && (
            <span className="pill" data-tone={state === 'expired' ? 'warn' : undefined}>
              {state}
            </span>
          )}
          {isHere && (
            <span className="pill" data-tone="good">
              signed in with it here
            </span>
          )}
        </h2>
        <code>{apiKey.prefix}…</code>
        <p className="facts">
          {apiKey.lastUsedAt === null ? (
            // The use by this page itself is written down a little later.
            !isHere && <span>Not used yet</span>
          ) : (
            <span>
              Last used <Ago time={apiKey.lastUsedAt} />
            </span>
          )}
          <span>
            Made <Ago time={apiKey.insertedAt} />
          </span>
          {state === 'active' && (
            <span>
              {apiKey.expiresAt === null ? (
                'Does not expire'
              ) : (
                <>
                  Expires <Ago time={apiKey.expiresAt} />
                </>
              )}
            </span>
          )}
          {state === 'expired' && apiKey.expiresAt !== null && (
            <span>
              Expired <Ago time={apiKey.expiresAt} />
            </span>
          )}
          {apiKey.revokedAt !== null && (
            <span>
              Revoked <Ago time={apiKey.revokedAt} />
            </span>
          )}
        </p>
      </div>
      {state === 'active' && (
        <EndButton
          caption="Revoke…"
          label={`Revoke ${shownText(apiKey.name)}`}
          title="Revoke this key?"
          words={{ no: 'Keep it', yes: 'Revoke it', running: 'Revoking…' }}
          testId="revoke-key"
          end={(signal) => api.delete(apiKeyPath(apiKey.id), signal)}
          onEnded={onChanged}
        >
          <p>
            <strong className="named">
              <Shown text={apiKey.name} />
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
