// The teams of the account, and a new one.
import { useState } from 'react'
import { useLocation } from 'wouter'
import { AccountList } from '../../account/account_list.tsx'
import { AccountPage } from '../../account/account_page.tsx'
import { useDocument } from '../../data/use_document.ts'
import { readTeamPage, TEAMS_PATH } from '../../teams/team.ts'
import { TeamNameForm } from '../../teams/team_name_form.tsx'
import { TeamRow } from '../../teams/team_row.tsx'

export const TeamsPage = () => {
  const [, navigate] = useLocation()
  const [path, setPath] = useState(`${TEAMS_PATH}?page[limit]=50`)
  const loaded = useDocument(path, { read: readTeamPage })
  return (
    <AccountPage
      title="Teams"
      intro="Items belong to a team. Its members see those that are shared with it."
      side={<TeamNameForm team={null} onSaved={({ id }) => navigate(`/account/teams/${id}`)} />}
    >
      <AccountList
        loaded={loaded}
        what="the teams"
        label="Teams"
        row={(team) => <TeamRow key={team.id} team={team} />}
        onPage={setPath}
      />
    </AccountPage>
  )
}
