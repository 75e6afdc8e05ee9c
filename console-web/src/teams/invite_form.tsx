// Invites somebody to a team. The link is shown once, for the person to send; the service sends no mail.
import './teams.css'
import { type FormEvent, useState } from 'react'
import { ApiFailure } from '../data/api_failure.ts'
import { useConsole } from '../data/console_context.ts'
import { fieldRefusal, NO_REFUSAL, refusedFields, wholeRefusal } from '../data/refused_fields.ts'
import { useAsked } from '../data/use_asked.ts'
import { FormField } from '../ui/form_field.tsx'
import { useInvalidFocus } from '../ui/use_invalid_focus.ts'
import { InvitationLink } from './invitation_link.tsx'
import { invitation, linkOf, MEMBERSHIPS_PATH } from './membership.ts'
import { isRole, mayGive, ROLE_WORDS, type Role, type Team } from './team.ts'

const EMAIL_LENGTH = 255

export const InviteForm = ({ team, onInvited }: { team: Team; onInvited: () => void }) => {
  const { api } = useConsole()
  const { state, ask } = useAsked()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const [refused, setRefused] = useState(NO_REFUSAL)
  const form = useInvalidFocus(refused)
  const [isNext, setNext] = useState(false)
  const [sent, setSent] = useState<{ readonly link: string; readonly email: string } | null>(null)
  const invite = async (signal: AbortSignal): Promise<void> => {
    try {
      const link = linkOf(await api.post(MEMBERSHIPS_PATH, invitation(team.id, email, role), { signal }))
      if (link === null) setRefused(wholeRefusal(LOST))
      else setSent({ link, email: email.trim() })
      setNext(true)
      setEmail('')
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error
      const isUnsure = error.kind === 'unreachable' || error.kind === 'unreadable'
      setRefused(isUnsure ? wholeRefusal(LOST) : refusedFields(error, ['email', 'role']))
    }
    onInvited()
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setRefused(email.trim() === '' ? fieldRefusal('email', 'Whom do you invite?') : NO_REFUSAL)
    if (email.trim() !== '') ask(invite)
  }
  if (sent !== null)
    return <InvitationLink link={sent.link} email={sent.email} onDone={() => setSent(null)} />
  return (
    <form ref={form} className="card form-grid" onSubmit={submit} noValidate autoComplete="off">
      <h2>Invite</h2>
      <FormField
        label="E-mail address"
        problem={refused.fields.get('email')}
        note="No mail is sent. You get a link to hand on."
      >
        {(field) => (
          <input
            {...field}
            type="email"
            data-testid="invite-email"
            // The link before took the place of this form, and the focus with it.
            // biome-ignore lint/a11y/noAutofocus: only then
            autoFocus={isNext}
            value={email}
            maxLength={EMAIL_LENGTH}
            autoCapitalize="off"
            spellCheck={false}
            onChange={({ target }) => {
              setRefused(NO_REFUSAL)
              setEmail(target.value)
            }}
          />
        )}
      </FormField>
      <FormField label="Role" problem={refused.fields.get('role')}>
        {(field) => (
          <select
            {...field}
            data-testid="invite-role"
            value={role}
            onChange={({ target }) => isRole(target.value) && setRole(target.value)}
          >
            {mayGive(team.role).map((name) => (
              <option key={name} value={name}>
                {ROLE_WORDS[name]}
              </option>
            ))}
          </select>
        )}
      </FormField>
      <div className="form-foot">
        <button
          type="submit"
          className="button primary"
          data-testid="invite"
          disabled={state.kind === 'asking'}
        >
          {state.kind === 'asking' ? 'Inviting…' : 'Make the link'}
        </button>
      </div>
      {(refused.whole !== null || state.kind === 'failed') && (
        <p className="problem" role="alert" data-testid="form-problem">
          {refused.whole ?? (state.kind === 'failed' && state.why)}
        </p>
      )}
    </form>
  )
}

const LOST =
  'No readable answer came. If the invitation stands in the list, its link was lost on the way: make a new link there.'
