// One member or one invitation: the role, and how it ends.
import './teams.css'
import { useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { useStore } from '../data/use_store.ts'
import { Ago } from '../ui/ago.tsx'
import { ActButton } from '../ui/form/act_button.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { useNow } from '../ui/use_now.ts'
import { EndMembership } from './end_membership.tsx'
import { InvitationLink } from './invitation_link.tsx'
import { linkOf, type Membership, membershipPath } from './membership.ts'
import { RoleChoice } from './role_choice.tsx'
import { manages, mayGive, type Team, type User } from './team.ts'

type MemberRowProps = {
  readonly team: Team
  readonly membership: Membership
  readonly isSelf: boolean
  readonly onChanged: () => void
  readonly onLeft: () => void
}

export const MemberRow = ({ team, membership, isSelf, onChanged, onLeft }: MemberRowProps) => {
  const invited = membership.state === 'invited'
  // Of the personal team everybody stays the owner.
  const stays = team.personal && isSelf
  // Only owners change owners.
  const mayChange = manages(team.role) && mayGive(team.role).includes(membership.role) && !stays
  return (
    <li className="list-row" data-testid="member-row" data-state={membership.state}>
      <div className="about">
        <h2>
          {invited ? <Shown text={membership.invitedEmail ?? ''} /> : <Name of={membership.name} />}
          {isSelf && (
            <span className="pill" data-tone="good">
              you
            </span>
          )}
          {invited && (
            <span className="pill" data-tone="warn">
              invited
            </span>
          )}
        </h2>
        {!invited && <Nameless name={membership.name} id={membership.userId} />}
        <p className="facts">
          {!mayChange && <span>{membership.role}</span>}
          {invited ? <LinkExpiry membership={membership} /> : <Since time={membership.insertedAt} />}
        </p>
      </div>
      <div className="acts">
        {mayChange && <RoleChoice team={team} membership={membership} onChanged={onChanged} />}
        {invited && mayChange && <NewLink membership={membership} onChanged={onChanged} />}
        {(mayChange || isSelf) && !stays && (
          <EndMembership
            team={team}
            membership={membership}
            isSelf={isSelf}
            onEnded={isSelf ? onLeft : onChanged}
          />
        )}
      </div>
    </li>
  )
}

/** Somebody of the team, to who does not manage it. */
export const OtherMember = ({ user: { id, name } }: { user: User }) => (
  <li className="list-row" data-testid="member-row">
    <div className="about">
      <h2>
        <Name of={name} />
      </h2>
      <Nameless name={name} id={id} />
    </div>
  </li>
)

const Name = ({ of: name }: { of: string }) =>
  name === '' ? <span className="nameless">No name given</span> : <Shown text={name} />

/** Tells two people without a name apart. */
const Nameless = ({ name, id }: { name: string; id: string | null }) =>
  name === '' && id !== null ? <code>{id}</code> : null

const Since = ({ time }: { time: string }) => (
  <span>
    Since <Ago time={time} />
  </span>
)

const LinkExpiry = ({ membership: { invitationExpiresAt } }: { membership: Membership }) => {
  const now = useNow() + useStore(useConsole().clockOffset)
  if (invitationExpiresAt === null) return null
  const isOver = Date.parse(invitationExpiresAt) <= now
  return (
    <span>
      {isOver ? 'Its link expired ' : 'Its link expires '}
      <Ago time={invitationExpiresAt} />
    </span>
  )
}

const NewLink = ({ membership, onChanged }: { membership: Membership; onChanged: () => void }) => {
  const { api } = useConsole()
  const [link, setLink] = useState<string | null>(null)
  const make = async (signal: AbortSignal): Promise<void> => {
    const path = `${membershipPath(membership.id)}/reissue`
    setLink(linkOf(await api.post(path, { data: {} }, { signal })))
    onChanged()
  }
  return (
    <>
      <ActButton caption="New link" testId="reissue" act={make} />
      {link !== null && (
        <InvitationLink link={link} email={membership.invitedEmail} onDone={() => setLink(null)} />
      )}
    </>
  )
}
