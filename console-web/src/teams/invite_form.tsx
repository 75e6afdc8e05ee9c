// Invites somebody to a team. The link is shown once, for the person to send; the service sends no mail.
import { useState } from 'react'
import { ApiFailure } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { fieldRefusal } from '../data/refused_fields.ts'
import { useSentForm } from '../data/use_sent_form.ts'
import { InputField, SelectField } from '../ui/form/form_field.tsx'
import { SentForm } from '../ui/form/sent_form.tsx'
import { ShownOnce } from '../ui/form/shown_once.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { invitation, linkOf, memberships } from './membership.ts'
import { mayGive, ROLE_WORDS, type Role, type Team } from './team.ts'

const EMAIL_LENGTH = 255

export const InviteForm = ({ team }: { team: Team }) => {
  const { api } = useConsole()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [sent, setSent] = useState<{ readonly link: string; readonly email: string } | null>(null)
  const invite = async (signal: AbortSignal): Promise<void> => {
    const link = linkOf(await api.post(memberships.path, invitation(team.id, email, role), { signal }))
    if (link === null) throw new ApiFailure('unreadable', LOST)
    setSent({ link, email: email.trim() })
    setEmail('')
  }
  const form = useSentForm(['email', 'role'], LOST, () =>
    email.trim() === '' ? fieldRefusal('email', 'Whom do you invite?') : invite,
  )
  if (sent !== null)
    return <InvitationLink link={sent.link} email={sent.email} onDone={() => setSent(null)} />
  return (
    <SentForm form={form} className="card" caption="Make the link" running="Inviting…" testId="invite">
      <h2>Invite</h2>
      <InputField
        label="E-mail address"
        problem={form.problem('email')}
        note="No mail is sent. You get a link to hand on."
        type="email"
        testId="invite-email"
        // The link before took the place of this form, and the focus with it.
        autoFocus={form.isDone}
        value={email}
        maxLength={EMAIL_LENGTH}
        autoCapitalize="off"
        spellCheck={false}
        onText={(text) => {
          form.clear()
          setEmail(text)
        }}
      />
      <SelectField
        label="Role"
        problem={form.problem('role')}
        testId="invite-role"
        value={role}
        options={mayGive(team.role).map((name) => [name, ROLE_WORDS[name]])}
        onChoose={setRole}
      />
    </SentForm>
  )
}

const LOST =
  'No readable answer came. If the invitation stands in the list, its link was lost on the way: make a new link there.'

type InvitationLinkProps = {
  readonly link: string
  readonly email: string | null
  readonly onDone: () => void
}

/** The one-time link of an invitation, shown once. */
export const InvitationLink = ({ link, email, onDone }: InvitationLinkProps) => (
  <ShownOnce title="The invitation" what="invitation link" secret={link} onDone={onDone}>
    Send it to {email === null ? 'the person' : <Shown text={email} />} yourself, over a way you trust:
    whoever opens it first and accepts becomes the member. It works once, and is not shown again.
  </ShownOnce>
)
