// The teams of the account, and a new one.
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { AccountPlaces } from '../account/account_places.tsx'
import { ListState } from '../account/list_state.tsx'
import { useDocument } from '../data/use_document.ts'
import { readTeamPage, TEAMS_PATH, type Team } from '../teams/team.ts'
import { TeamNameForm } from '../teams/team_name_form.tsx'
import { Pager } from '../ui/pager.tsx'
import { Shown } from '../ui/shown_text.tsx'

export const TeamsPage = () => {
  const [, navigate] = useLocation()
  const [path, setPath] = useState(`${TEAMS_PATH}?page[limit]=50`)
  const loaded = useDocument(path, { read: readTeamPage })
  return (
    <>
      <title>Teams · Pharos</title>
      <main className="plain-page account">
        <header className="page-head">
          <h1>Teams</h1>
          <p>Items belong to a team. Its members see those that are shared with it.</p>
        </header>
        <AccountPlaces here="teams" />
        <div className="side-by-side" data-wide="left">
          <div className="main-side" aria-busy={loaded.kind === 'loading'}>
            <ListState loaded={loaded} what="the teams" />
            {loaded.kind === 'found' && (
              <>
                <ul className="card-rows" aria-label="Teams">
                  {loaded.value.rows.map((team) => (
                    <Row key={team.id} team={team} />
                  ))}
                </ul>
                <Pager previous={loaded.value.previous} next={loaded.value.next} onChoose={setPath} />
              </>
            )}
          </div>
          <div className="side">
            <TeamNameForm team={null} onSaved={({ id }) => navigate(`/account/teams/${id}`)} />
          </div>
        </div>
      </main>
    </>
  )
}

const Row = ({ team }: { team: Team }) => (
  <li data-testid="team-row">
    <div className="card-row-what">
      <h2>
        <Link to={`/account/teams/${team.id}`} className="team-row">
          <Shown text={team.name} />
        </Link>
      </h2>
      <p className="card-row-facts">
        <span>{team.role}</span>
        {team.personal && <span>came with your account</span>}
      </p>
    </div>
  </li>
)
