// One browser in which the person is signed in.
import { useConsole } from '../data/console_context.ts'
import { Ago } from '../ui/ago.tsx'
import { EndButton } from '../ui/form/end_button.tsx'
import { type BrowserSession, browserName, sessionPath } from './browser_session.ts'

type SessionRowProps = { readonly session: BrowserSession; readonly onChanged: () => void }

export const SessionRow = ({ session, onChanged }: SessionRowProps) => {
  const { api } = useConsole()
  const name = browserName(session.userAgent)
  return (
    <li className="list-row" data-testid="session-row" data-current={session.current}>
      <div className="about">
        <h2>
          <span title={session.userAgent}>{name}</span>
          {session.current && (
            <span className="pill" data-tone="good">
              this browser
            </span>
          )}
        </h2>
        <p className="facts">
          {session.address !== '' && <span>from {session.address}</span>}
          <span>
            Signed in <Ago time={session.insertedAt} />
          </span>
          {!session.current && (
            <span>
              Last used <Ago time={session.lastUsedAt} />
            </span>
          )}
          <span>
            Ends <Ago time={session.expiresAt} />
          </span>
        </p>
      </div>
      {/* This one ends by signing out, which the bar above does. */}
      {!session.current && (
        <EndButton
          caption="Sign out…"
          label={`Sign out ${name}`}
          title="Sign out this browser?"
          words={{ no: 'Keep it', yes: 'Sign it out', running: 'Signing out…' }}
          testId="end-session"
          end={async (signal) => {
            await api.delete(sessionPath(session.id), signal)
          }}
          onEnded={onChanged}
        >
          <p>
            <strong className="named">{name}</strong>
            {session.address !== '' && <>, from {session.address}</>}
          </p>
          <p>Its pages are signed out within a minute.</p>
        </EndButton>
      )}
    </li>
  )
}
