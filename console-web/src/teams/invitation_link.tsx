// The one-time link of an invitation, shown once.
import './teams.css'
import { ShownOnce } from '../ui/form/shown_once.tsx'
import { Shown } from '../ui/shown_text.tsx'

type InvitationLinkProps = {
  readonly link: string
  readonly email: string | null
  readonly onDone: () => void
}

export const InvitationLink = ({ link, email, onDone }: InvitationLinkProps) => (
  <ShownOnce title="The invitation" what="invitation link" secret={link} onDone={onDone}>
    Send it{' '}
    {email === null ? (
      'to the person'
    ) : (
      <>
        to <Shown text={email} />
      </>
    )}{' '}
    yourself, over a way you trust: whoever opens it first and accepts becomes the member. It works once, and
    is not shown again.
  </ShownOnce>
)
