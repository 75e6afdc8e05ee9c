// One member or one invitation: the role, and how it ends.
import { useState } from 'react'
import { useLocation } from 'wouter'
import { bodyOf, toldOnce } from '../data/resource.ts'
import type { Act } from '../data/use_asked.ts'
import { ActButton } from '../ui/form/act_button.tsx'
import { Select } from '../ui/form/choice.tsx'
import { EndButton } from '../ui/form/end_button.tsx'
import { Pill } from '../ui/pill.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { AgoFact } from '../ui/time.tsx'
import { useServiceTime } from '../ui/use_now.ts'
import { InvitationLink } from './invite_form.tsx'
import { type Membership, manages, mayGive, memberships, type Role, type Team, type User } from './team.ts'

type MemberRowProps = {
  readonly team: Team
  readonly membership: Membership
  readonly isSelf: boolean
}

export const MemberRow = ({ team, membership, isSelf }: MemberRowProps) => {
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
          {isSelf && <Pill tone="good">you</Pill>}
          {invited && <Pill tone="warn">invited</Pill>}
        </h2>
        {!invited && <Nameless name={membership.name} id={membership.userId} />}
        <p className="facts">
          {!mayChange && <span>{membership.role}</span>}
          {invited ? (
            <LinkExpiry at={membership.invitationExpiresAt} />
          ) : (
            <AgoFact words="Added" time={membership.insertedAt} />
          )}
        </p>
      </div>
      <div className="acts">
        {mayChange && <RoleChoice team={team} membership={membership} />}
        {invited && mayChange && <NewLink membership={membership} />}
        {(mayChange || isSelf) && !stays && (
          <EndMembership team={team} membership={membership} isSelf={isSelf} />
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
  name === '' ? <small>No name given</small> : <Shown text={name} />

/** Tells two people without a name apart. */
const Nameless = ({ name, id }: { name: string; id: string | null }) =>
  name === '' && id !== null ? <code>{id}</code> : null

const whoIs = ({ invitedEmail, name, userId }: Membership): string => invitedEmail ?? (name || (userId ?? ''))

const LinkExpiry = ({ at }: { at: string | null }) => {
  const isOver = useServiceTime((now) => Date.parse(at ?? '') <= now)
  return <AgoFact words={isOver ? 'Its link expired' : 'Its link expires'} time={at} />
}

const NewLink = ({ membership }: { membership: Membership }) => {
  const [link, setLink] = useState<string | null>(null)
  const path = `${memberships.at(membership.id)}/reissue`
  return (
    <>
      <ActButton
        caption="New link"
        testId="reissue"
        act={async ({ api }) => setLink(toldOnce(await api.post(path, { data: {} }), 'invitation_url'))}
      />
      {link !== null && (
        <InvitationLink link={link} email={membership.invitedEmail} onDone={() => setLink(null)} />
      )}
    </>
  )
}

/** A choice alone changes nothing, because the arrow keys pass over the other roles. */
const RoleChoice = ({ team, membership }: Omit<MemberRowProps, 'isSelf'>) => {
  const [chosen, setChosen] = useState<Role | null>(null)
  const role = chosen ?? membership.role
  const save: Act = async ({ api }) => {
    await api.patch(memberships.at(membership.id), bodyOf('membership', { role }, membership.id))
    // Another one may have been chosen meanwhile.
    setChosen((now) => (now === role ? null : now))
  }
  return (
    <div className="line">
      <Select
        aria-label={`Role of ${whoIs(membership)}`}
        data-testid="member-role"
        value={role}
        options={mayGive(team.role).map((name) => [name, name])}
        onChoose={setChosen}
      />
      {role !== membership.role && (
        <ActButton caption="Save" running="Saving…" testId="save-role" act={save} />
      )}
    </div>
  )
}

const WAYS = {
  leave: {
    caption: 'Leave…',
    title: 'Leave this team?',
    words: { no: 'Stay', yes: 'Leave it', running: 'Leaving…' },
    text: 'You cannot read its items any more, and only an invitation brings you back.',
  },
  withdraw: {
    caption: 'Withdraw…',
    title: 'Withdraw this invitation?',
    words: { no: 'Keep it', yes: 'Withdraw it', running: 'Withdrawing…' },
    text: 'Its link stops working.',
  },
  remove: {
    caption: 'Remove…',
    title: 'Remove this member?',
    words: { no: 'Keep', yes: 'Remove', running: 'Removing…' },
    text: 'They cannot read the team’s items any more. What they submitted stays.',
  },
} as const

const EndMembership = ({ team, membership, isSelf }: MemberRowProps) => {
  const [, navigate] = useLocation()
  const { text, ...way } = WAYS[isSelf ? 'leave' : membership.state === 'invited' ? 'withdraw' : 'remove']
  const who = isSelf ? team.name : whoIs(membership)
  return (
    <EndButton
      {...way}
      label={`${way.caption.slice(0, -1)} ${who}`}
      testId="end-membership"
      end={async ({ api }) => {
        await api.delete(memberships.at(membership.id))
        if (isSelf) navigate('/account/teams', { replace: true })
      }}
    >
      <p>
        <strong className="named">
          <Shown text={who} />
        </strong>
      </p>
      <p>{text}</p>
    </EndButton>
  )
}
