// The browsers in which the person is signed in.
import { useState } from 'react'
import { AccountList } from '../../account/account_list.tsx'
import { AccountPage } from '../../account/account_page.tsx'
import { readSessionPage, SESSIONS_PATH } from '../../account/browser_session.ts'
import { EndOtherSessions } from '../../account/end_other_sessions.tsx'
import { SessionRow } from '../../account/session_row.tsx'
import { useConsole } from '../../data/console_context.ts'
import { useDocument } from '../../data/use_document.ts'

const FIRST_PAGE = `${SESSIONS_PATH}?page[limit]=50`

export const SessionsPage = () => {
  const { by } = useConsole()
  const [path, setPath] = useState(FIRST_PAGE)
  const loaded = useDocument(path, { read: readSessionPage })
  const isKey = by.kind === 'key'
  const others = loaded.kind === 'found' ? loaded.value.rows.filter(({ current }) => !current) : []
  const changed = (): void => {
    setPath(FIRST_PAGE)
    loaded.again()
  }
  return (
    <AccountPage
      title="Sessions"
      intro="The browsers in which you are signed in with your e-mail address."
      act={others.length > 0 && <EndOtherSessions others={others} isKey={isKey} onEnded={changed} />}
    >
      <AccountList
        loaded={loaded}
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
        row={(session) => <SessionRow key={session.id} session={session} onChanged={loaded.again} />}
        onPage={setPath}
      />
    </AccountPage>
  )
}
