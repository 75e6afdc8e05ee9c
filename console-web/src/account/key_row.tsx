// One API key: what it is for, how it begins, when it was used, and its revocation.
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { Ago } from '../ui/ago.tsx'
import { EndButton } from '../ui/form/end_button.tsx'
import { Shown, shownText } from '../ui/shown_text.tsx'
import { useNow } from '../ui/use_now.ts'
import { type ApiKey, apiKeyPath, stateOf } from './api_key.ts'

type KeyRowProps = { readonly apiKey: ApiKey; readonly onChanged: () => void }

export const KeyRow = ({ apiKey, onChanged }: KeyRowProps) => {
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
          end={async (signal) => {
            await api.delete(apiKeyPath(apiKey.id), signal)
          }}
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
