// One team of the account, and the person's role in it.
import './teams.css'
import { Link } from 'wouter'
import { Shown } from '../ui/shown_text.tsx'
import type { Team } from './team.ts'

export const TeamRow = ({ team: { id, name, role, personal } }: { team: Team }) => (
  <li className="list-row" data-testid="team-row">
    <div className="about">
      <h2>
        <Link to={`/account/teams/${id}`} className="team-link">
          <Shown text={name} />
        </Link>
      </h2>
      <p className="facts">
        <span>{role}</span>
        {personal && <span>came with your account</span>}
      </p>
    </div>
  </li>
)
