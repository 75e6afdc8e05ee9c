// The applications that may act for the account.
import { AccountList, AccountPage, useAccountList } from '../../account/account_page.tsx'
import { type AllowedApplication, applications, scopeWords } from '../../account/allowed_application.ts'
import { EndButton } from '../../ui/form/end_button.tsx'
import { nameText, Shown, shownText } from '../../ui/shown_text.tsx'
import { AgoFact } from '../../ui/time.tsx'

export const ApplicationsPage = () => {
  const list = useAccountList(applications)
  return (
    <AccountPage
      title="Applications"
      intro="Programs and agents that you allowed to act for you, and what each may do."
    >
      <AccountList
        list={list}
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
        row={(application) => <ApplicationRow key={application.id} application={application} />}
      />
    </AccountPage>
  )
}

const ApplicationRow = ({ application }: { application: AllowedApplication }) => {
  const { name, host, scopes, lastUsedAt, insertedAt } = application
  return (
    <li className="list-row" data-testid="application-row">
      <div className="about">
        <h2>
          <Shown text={nameText(name)} />
        </h2>
        {host !== '' && <code>{host}</code>}
        <p>May {scopes.map(scopeWords).join('; ')}.</p>
        <p className="facts">
          <AgoFact words="Allowed" time={insertedAt} />
          <AgoFact words="Last used" time={lastUsedAt} />
          {lastUsedAt === null && <span>Not used yet</span>}
        </p>
      </div>
      <EndButton
        caption="Revoke…"
        label={`Revoke ${shownText(nameText(name))}`}
        title="Take back what this application may do?"
        words={{ no: 'Keep it', yes: 'Take it back', running: 'Revoking…' }}
        testId="revoke-application"
        end={({ api }) => api.delete(applications.at(application.id))}
      >
        <p>
          <strong className="named">
            <Shown text={nameText(name)} />
          </strong>{' '}
          {host !== '' && <code>{host}</code>}
        </p>
        <p>It can do nothing for you any more, within a minute everywhere, unless you allow it again.</p>
      </EndButton>
    </li>
  )
}
