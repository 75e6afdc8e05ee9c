// One member or one invitation: the role, and how it ends.
import './teams.css'
import { useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { useStore } from '../data/use_store.ts'
import { Ago } from '../ui/ago.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { useNow } from '../ui/use_now.ts'
import { EndMembership } from './end_membership.tsx'
import { InvitationLink } from './invitation_link.tsx'
import { linkOf, type Membership, membershipPath } from './membership.ts'
import { RoleChoice } from './role_choice.tsx'
import { manages, mayGive, type Team } from './team.ts'

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
    <li data-testid="member-row" data-state={membership.state}>
      <div className="card-row-what">
        <h2>
          {invited ? <Shown text={membership.invitedEmail ?? ''} /> : <MemberName name={membership.name} />}
          {isSelf && (
            <span className="state-pill" data-state="here">
              you
            </span>
          )}
          {invited && (
            <span className="state-pill" data-state="invited">
              invited
            </span>
          )}
        </h2>
        <p className="card-row-facts">
          {!mayChange && <span>{membership.role}</span>}
          {invited ? <LinkExpiry membership={membership} /> : <Since time={membership.insertedAt} />}
        </p>
      </div>
      <div className="thing-acts">
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

export const MemberName = ({ name }: { name: string }) =>
  name === '' ? <span className="nameless">Somebody without a name</span> : <Shown text={name} />

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
  const { state, ask } = useAsked()
  const [link, setLink] = useState<string | null>(null)
  const make = (): void =>
    ask(async (signal) => {
      const made = linkOf(
        await api.post(`${membershipPath(membership.id)}/reissue`, { data: {} }, { signal }),
      )
      setLink(made)
      onChanged()
    })
  return (
    <>
      <button
        type="button"
        className="button"
        data-testid="reissue"
        disabled={state.kind === 'asking'}
        onClick={make}
      >
        New link
      </button>
      {state.kind === 'failed' && (
        <p className="problem" role="alert">
          {state.why}
        </p>
      )}
      {link !== null && (
        <InvitationLink link={link} email={membership.invitedEmail} onDone={() => setLink(null)} />
      )}
    </>
  )
}
