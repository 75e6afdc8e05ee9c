// One team: its members, its invitations, its name.
import { Link } from 'wouter'
import { AccountList, AccountPlaces, Beside, useAccountList } from '../../account/account_page.tsx'
import { useDocument } from '../../data/use_document.ts'
import { useMe } from '../../session/me.ts'
import { DocumentPage } from '../../shell/document_page.tsx'
import { InviteForm } from '../../teams/invite_form.tsx'
import { MemberRow, OtherMember } from '../../teams/member_row.tsx'
import { manages, memberships, membersOf, readTeamDetail, type TeamDetail, teams } from '../../teams/team.ts'
import { TeamNameForm } from '../../teams/team_name_form.tsx'
import { PageHead } from '../../ui/plain_page.tsx'
import { nameText, Shown, shownText } from '../../ui/shown_text.tsx'

export const TeamPage = ({ id }: { id: string }) => {
  const loaded = useDocument(`${teams.at(id)}?include=users`, { read: readTeamDetail })
  return (
    <DocumentPage
      what="Team"
      id={id}
      loaded={loaded}
      missing="You do not belong to a team of this id, or not any more."
    >
      {(team) => <Found team={team} />}
    </DocumentPage>
  )
}

const Found = ({ team }: { team: TeamDetail }) => {
  const list = useAccountList(memberships, membersOf(team.id))
  const myId = useMe()?.id
  const isManager = manages(team.role)
  // Who does not manage the team is shown the own membership, and of the others only who they are.
  const others = isManager || myId === undefined ? [] : team.users.filter(({ id }) => id !== myId)
  return (
    <div className="account">
      <title>{`${shownText(nameText(team.name))} · Pharos`}</title>
      <PageHead kind={<Link to="/account/teams">Teams</Link>} name={<Shown text={nameText(team.name)} />}>
        <p>
          You are its {team.role}.{team.personal && ' It came with your account.'}
        </p>
      </PageHead>
      <AccountPlaces />
      <Beside
        side={
          isManager ? (
            <>
              <InviteForm team={team} />
              <TeamNameForm team={team} />
            </>
          ) : undefined
        }
      >
        <AccountList
          list={list}
          what="the members"
          label="Members"
          row={(one) => <MemberRow key={one.id} team={team} membership={one} isSelf={one.userId === myId} />}
          more={others.map((user) => <OtherMember key={user.id} user={user} />)}
          after={
            !isManager && <p className="card-note">Roles and invitations are shown to owners and admins.</p>
          }
        />
      </Beside>
    </div>
  )
}
