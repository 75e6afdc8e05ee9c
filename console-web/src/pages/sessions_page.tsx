// The browsers in which the person is signed in.
import { useState } from 'react'
import { AccountPlaces } from '../account/account_places.tsx'
import { readSessionPage, SESSIONS_PATH } from '../account/browser_session.ts'
import { EndOtherSessions } from '../account/end_other_sessions.tsx'
import { ListState } from '../account/list_state.tsx'
import { SessionRow } from '../account/session_row.tsx'
import { useConsole } from '../data/console_context.ts'
import { useDocument } from '../data/use_document.ts'
import { Pager } from '../ui/pager.tsx'

const FIRST_PAGE = `${SESSIONS_PATH}?page[limit]=50`

export const SessionsPage = () => {
  const { by } = useConsole()
  const [path, setPath] = useState(FIRST_PAGE)
  const loaded = useDocument(path, { read: readSessionPage })
  const others = loaded.kind === 'found' ? loaded.value.rows.filter(({ current }) => !current) : []
  const changed = (): void => {
    setPath(FIRST_PAGE)
    loaded.again()
  }
  return (
    <>
      <title>Sessions · Pharos</title>
      <main className="plain-page account">
        <header className="page-head page-actions">
          <div>
            <h1>Sessions</h1>
            <p>The browsers in which you are signed in with your e-mail address.</p>
          </div>
          {others.length > 0 && (
            <EndOtherSessions others={others} isKey={by.kind === 'key'} onEnded={changed} />
          )}
        </header>
        <AccountPlaces here="sessions" />
        <div className="main-side" aria-busy={loaded.kind === 'loading'}>
          {by.kind === 'key' && (
            <p className="notice" data-tone="calm">
              On this page you are signed in with an API key, which is no session and not listed here.
            </p>
          )}
          <ListState loaded={loaded} what="the sessions" />
          {loaded.kind === 'found' && (
            <>
              {loaded.value.rows.length === 0 ? (
                <p className="card-note" data-testid="no-sessions">
                  You are signed in nowhere with your e-mail address.
                </p>
              ) : (
                <ul className="card-rows" aria-label="Sessions">
                  {loaded.value.rows.map((session) => (
                    <SessionRow key={session.id} session={session} onChanged={loaded.again} />
                  ))}
                </ul>
              )}
              <Pager previous={loaded.value.previous} next={loaded.value.next} onChoose={setPath} />
            </>
          )}
        </div>
      </main>
    </>
  )
}
