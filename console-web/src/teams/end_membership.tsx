// Removes a member, withdraws an invitation, or leaves the team, after a question.
import './teams.css'
import { useConsole } from '../data/console_context.ts'
import { EndButton } from '../ui/form/end_button.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { type Membership, membershipPath } from './membership.ts'
import type { Team } from './team.ts'

type EndMembershipProps = {
  readonly team: Team
  readonly membership: Membership
  readonly isSelf: boolean
  readonly onEnded: () => void
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

export const EndMembership = ({ team, membership, isSelf, onEnded }: EndMembershipProps) => {
  const { api } = useConsole()
  const { text, ...way } = WAYS[isSelf ? 'leave' : membership.state === 'invited' ? 'withdraw' : 'remove']
  const who = isSelf ? team.name : (membership.invitedEmail ?? membership.name)
  return (
    <EndButton
      {...way}
      label={`${way.caption.slice(0, -1)} ${who}`}
      testId="end-membership"
      end={async (signal) => {
        await api.delete(membershipPath(membership.id), signal)
      }}
      onEnded={onEnded}
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
