// One application that the person allowed to act for them.
import { useConsole } from '../data/console_context.ts'
import { Ago } from '../ui/ago.tsx'
import { EndButton } from '../ui/form/end_button.tsx'
import { Shown, shownText } from '../ui/shown_text.tsx'
import { type AllowedApplication, applicationPath, scopeWords } from './allowed_application.ts'

type ApplicationRowProps = { readonly application: AllowedApplication; readonly onChanged: () => void }

export const ApplicationRow = ({ application, onChanged }: ApplicationRowProps) => {
  const { api } = useConsole()
  const { name, host, scopes, lastUsedAt, insertedAt } = application
  return (
    <li className="list-row" data-testid="application-row">
      <div className="about">
        <h2>
          <Shown text={name} />
        </h2>
        {host !== '' && <code>{host}</code>}
        <p>May {scopes.map(scopeWords).join('; ')}.</p>
        <p className="facts">
          <span>
            Allowed <Ago time={insertedAt} />
          </span>
          {lastUsedAt === null ? (
            <span>Not used yet</span>
          ) : (
            <span>
              Last used <Ago time={lastUsedAt} />
            </span>
          )}
        </p>
      </div>
      <EndButton
        caption="Revoke…"
        label={`Revoke ${shownText(name)}`}
        title="Take back what this application may do?"
        words={{ no: 'Keep it', yes: 'Take it back', running: 'Revoking…' }}
        testId="revoke-application"
        end={async (signal) => {
          await api.delete(applicationPath(application.id), signal)
        }}
        onEnded={onChanged}
      >
        <p>
          <strong className="named">
            <Shown text={name} />
          </strong>{' '}
          {host !== '' && <code>{host}</code>}
        </p>
        <p>It can do nothing for you any more, within a minute everywhere, unless you allow it again.</p>
      </EndButton>
    </li>
  )
}
