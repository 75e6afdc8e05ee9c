// Invites somebody to a team. The link is shown once, for the person to send; the service sends no mail.
import { useState } from 'react'
import { bodyOf, toldOnce } from '../data/resource.ts'
import { needed } from '../data/shape.ts'
import { fieldRefusal, useSentForm } from '../data/use_sent_form.ts'
import { InputField, SelectField } from '../ui/form/form_field.tsx'
import { SentForm } from '../ui/form/sent_form.tsx'
import { ShownOnce } from '../ui/form/shown_once.tsx'
import { Shown } from '../ui/shown_text.tsx'
import { mayGive, memberships, ROLE_WORDS, type Role, type Team } from './team.ts'

const EMAIL_LENGTH = 255

const NOBODY: { readonly email: string; readonly role: Role } = { email: '', role: 'member' }

export const InviteForm = ({ team }: { team: Team }) => {
  const [sent, setSent] = useState<{ readonly link: string; readonly email: string } | null>(null)
  const form = useSentForm(NOBODY, LOST, ({ email: typed, role }, set) => {
    const email = typed.trim()
    if (email === '') return fieldRefusal('email', 'Whom do you invite?')
    const body = bodyOf('membership', { team_id: team.id, email, role })
    return async ({ api }) => {
      const link = needed(toldOnce(await api.post(memberships.path, body), 'invitation_url'))
      setSent({ link, email })
      set({ email: '' })
    }
  })
  if (sent !== null)
    return <InvitationLink link={sent.link} email={sent.email} onDone={() => setSent(null)} />
  return (
    <SentForm form={form} className="card" caption="Make the link" running="Inviting…" testId="invite">
      <h2>Invite</h2>
      <InputField
        label="E-mail address"
        note="No mail is sent. You get a link to hand on."
        type="email"
        testId="invite-email"
        // The link before took the place of this form, and the focus with it.
        autoFocus={form.isDone}
        maxLength={EMAIL_LENGTH}
        autoCapitalize="off"
        spellCheck={false}
        {...form.field('email')}
      />
      <SelectField
        label="Role"
        problem={form.problem('role')}
        testId="invite-role"
        value={form.values.role}
        options={mayGive(team.role).map((name) => [name, ROLE_WORDS[name]])}
        onChoose={(role) => form.set({ role })}
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
