// The teams of the account, and a new one.
import { Link } from 'wouter'
import { AccountList, AccountPage, useAccountList } from '../../account/account_page.tsx'
import { teams } from '../../teams/team.ts'
import { TeamNameForm } from '../../teams/team_name_form.tsx'
import { nameText, Shown } from '../../ui/shown_text.tsx'

export const TeamsPage = () => {
  const list = useAccountList(teams)
  return (
    <AccountPage
      title="Teams"
      intro="Items belong to a team. Its members see those that are shared with it."
      side={<TeamNameForm team={null} />}
    >
      <AccountList
        list={list}
        what="the teams"
        label="Teams"
        row={({ id, name, role, personal }) => (
          <li key={id} className="list-row" data-testid="team-row">
            <div className="about">
              <h2>
                <Link to={`/account/teams/${id}`} className="team-link">
                  <Shown text={nameText(name)} />
                </Link>
              </h2>
              <p className="facts">
                <span>{role}</span>
                {personal && <span>came with your account</span>}
              </p>
            </div>
          </li>
        )}
      />
    </AccountPage>
  )
}
