// The browsers in which the person is signed in.
import { AccountList, AccountPage, useAccountList } from '../../account/account_page.tsx'
import { type BrowserSession, browserName, sessions } from '../../account/browser_session.ts'
import { ApiFailure } from '../../data/api_failure.ts'
import { useConsole } from '../../data/console_context.ts'
import type { Act } from '../../data/use_asked.ts'
import { EndButton } from '../../ui/form/end_button.tsx'
import { Pill } from '../../ui/pill.tsx'
import { AgoFact } from '../../ui/time.tsx'

export const SessionsPage = () => {
  const { by } = useConsole()
  const list = useAccountList(sessions)
  const isKey = by.kind === 'key'
  const shown = list.loaded.kind === 'found' ? list.loaded.value.rows : []
  const others = shown.filter(({ current }) => !current)
  return (
    <AccountPage
      title="Sessions"
      intro="The browsers in which you are signed in with your e-mail address."
      act={others.length > 0 && <EndOtherSessions others={others} onEnded={list.toFirst} />}
    >
      <AccountList
        list={list}
        what="the sessions"
        label="Sessions"
        before={
          isKey && (
            <p className="notice" data-tone="calm">
              On this page you are signed in with an API key, which is no session and not listed here.
            </p>
          )
        }
        empty={
          <p className="card-note" data-testid="no-sessions">
            You are signed in nowhere with your e-mail address.
          </p>
        }
        row={(session) => <SessionRow key={session.id} session={session} />}
      />
    </AccountPage>
  )
}

type EndOtherSessionsProps = { readonly others: readonly BrowserSession[]; readonly onEnded: () => void }

const EndOtherSessions = ({ others, onEnded }: EndOtherSessionsProps) => {
  const { by } = useConsole()
  // This page itself has no session.
  const isKey = by.kind === 'key'
  const end: Act = async ({ api }) => {
    for (const { id } of others)
      try {
        await api.delete(sessions.at(id))
      } catch (error) {
        // It has ended in the meantime.
        if (!(error instanceof ApiFailure && error.kind === 'not_found')) throw error
      }
    onEnded()
  }
  return (
    <EndButton
      caption={isKey ? 'Sign out everywhere…' : 'Sign out everywhere else…'}
      title={isKey ? 'Sign out everywhere?' : 'Sign out everywhere else?'}
      words={{ no: 'Keep them', yes: 'Sign them out', running: 'Signing out…' }}
      testId="end-others"
      end={end}
    >
      <p>
        {others.length === 1 ? 'One browser is' : `${others.length} browsers are`} signed out within a minute.
        API keys and applications go on.
      </p>
    </EndButton>
  )
}

const SessionRow = ({ session }: { session: BrowserSession }) => {
  const name = browserName(session.userAgent)
  return (
    <li className="list-row" data-testid="session-row" data-current={session.current}>
      <div className="about">
        <h2>
          <span title={session.userAgent}>{name}</span>
          {session.current && <Pill tone="good">this browser</Pill>}
        </h2>
        <p className="facts">
          {session.address !== '' && <span>from {session.address}</span>}
          <AgoFact words="Signed in" time={session.insertedAt} />
          {!session.current && <AgoFact words="Last used" time={session.lastUsedAt} />}
          <AgoFact words="Ends" time={session.expiresAt} />
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
          end={({ api }) => api.delete(sessions.at(session.id))}
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
