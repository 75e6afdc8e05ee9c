// The applications that may act for the account.
import { useState } from 'react'
import { AccountPlaces } from '../account/account_places.tsx'
import { APPLICATIONS_PATH, readApplicationPage } from '../account/allowed_application.ts'
import { ApplicationRow } from '../account/application_row.tsx'
import { ListState } from '../account/list_state.tsx'
import { useDocument } from '../data/use_document.ts'
import { Pager } from '../ui/pager.tsx'

export const ApplicationsPage = () => {
  const [path, setPath] = useState(`${APPLICATIONS_PATH}?page[limit]=50`)
  const loaded = useDocument(path, { read: readApplicationPage })
  return (
    <>
      <title>Applications · Pharos</title>
      <main className="plain-page account">
        <header className="page-head">
          <h1>Applications</h1>
          <p>Programs and agents that you allowed to act for you, and what each may do.</p>
        </header>
        <AccountPlaces here="applications" />
        <div className="main-side" aria-busy={loaded.kind === 'loading'}>
          <ListState loaded={loaded} what="the applications" />
          {loaded.kind === 'found' && (
            <>
              {loaded.value.rows.length === 0 ? (
                <div className="empty" data-testid="no-applications">
                  <h2>None is allowed</h2>
                  <p>
                    An application that wants to act for you sends you to a page of this service, which names
                    it and what it asks for. Whatever you agree to there is listed here.
                  </p>
                </div>
              ) : (
                <ul className="card-rows" aria-label="Allowed applications">
                  {loaded.value.rows.map((application) => (
                    <ApplicationRow key={application.id} application={application} onChanged={loaded.again} />
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
