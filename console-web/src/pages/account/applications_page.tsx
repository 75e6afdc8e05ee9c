// The applications that may act for the account.
import { useState } from 'react'
import { AccountList } from '../../account/account_list.tsx'
import { AccountPage } from '../../account/account_page.tsx'
import { APPLICATIONS_PATH, readApplicationPage } from '../../account/allowed_application.ts'
import { ApplicationRow } from '../../account/application_row.tsx'
import { useDocument } from '../../data/use_document.ts'

export const ApplicationsPage = () => {
  const [path, setPath] = useState(`${APPLICATIONS_PATH}?page[limit]=50`)
  const loaded = useDocument(path, { read: readApplicationPage })
  return (
    <AccountPage
      title="Applications"
      intro="Programs and agents that you allowed to act for you, and what each may do."
    >
      <AccountList
        loaded={loaded}
        what="the applications"
        label="Allowed applications"
        empty={
          <div className="empty" data-testid="no-applications">
            <h2>None is allowed</h2>
            <p>
              An application that wants to act for you sends you to a page of this service, which names it and
              what it asks for. Whatever you agree to there is listed here.
            </p>
          </div>
        }
        row={(application) => (
          <ApplicationRow key={application.id} application={application} onChanged={loaded.again} />
        )}
        onPage={setPath}
      />
    </AccountPage>
  )
}
