// Removes a member, withdraws an invitation, or leaves the team, after a question.
import './teams.css'
import { useState } from 'react'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { SureQuestion } from '../ui/sure_question.tsx'
import { type Membership, membershipPath } from './membership.ts'
import type { Team } from './team.ts'

type EndMembershipProps = {
  readonly team: Team
  readonly membership: Membership
  readonly isSelf: boolean
  readonly onEnded: () => void
}

const WORDS = {
  leave: {
    act: 'Leave…',
    title: 'Leave this team?',
    words: { no: 'Stay', yes: 'Leave it', running: 'Leaving…' },
    text: 'You cannot read its items any more, and only an invitation brings you back.',
  },
  withdraw: {
    act: 'Withdraw…',
    title: 'Withdraw this invitation?',
    words: { no: 'Keep it', yes: 'Withdraw it', running: 'Withdrawing…' },
    text: 'Its link stops working.',
  },
  remove: {
    act: 'Remove…',
    title: 'Remove this member?',
    words: { no: 'Keep', yes: 'Remove', running: 'Removing…' },
    text: 'They cannot read the team’s items any more. What they submitted stays.',
  },
} as const

export const EndMembership = (props: EndMembershipProps) => {
  const { membership, isSelf } = props
  const [sure, setSure] = useState(false)
  const words = WORDS[isSelf ? 'leave' : membership.state === 'invited' ? 'withdraw' : 'remove']
  return (
    <>
      <button
        type="button"
        className="button danger"
        data-testid="end-membership"
        onClick={() => setSure(true)}
      >
        {words.act}
      </button>
      {sure && <Confirm {...props} words={words} onClose={() => setSure(false)} />}
    </>
  )
}

type ConfirmProps = EndMembershipProps & {
  readonly words: (typeof WORDS)[keyof typeof WORDS]
  readonly onClose: () => void
}

const Confirm = ({ team, membership, isSelf, words, onEnded, onClose }: ConfirmProps) => {
  const { api } = useConsole()
  const { state, ask } = useAsked()
  const end = (): void =>
    ask(async (signal) => {
      await api.delete(membershipPath(membership.id), signal)
      onClose()
      onEnded()
    })
  return (
    <SureQuestion
      title={words.title}
      words={words.words}
      running={state.kind === 'asking'}
      problem={state.kind === 'failed' ? state.why : null}
      testId="end-sure"
      onYes={end}
      onNo={onClose}
    >
      <p>
        <strong className="named">
          <bdi>{isSelf ? team.name : (membership.invitedEmail ?? membership.name)}</bdi>
        </strong>
      </p>
      <p>{words.text}</p>
    </SureQuestion>
  )
}
