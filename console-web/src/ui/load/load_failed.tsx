// What stands in place of something that is being read or could not be read.
import type { Loaded } from '../../data/use_document.ts'
import { Button } from '../button.tsx'

type LoadFailedProps = {
  /** A sentence. */
  readonly why: string
  readonly onAgain: () => void
}

export const LoadFailed = ({ why, onAgain }: LoadFailedProps) => (
  <p className="problem" role="alert">
    {why}{' '}
    <Button look="text" onClick={onAgain}>
      Try again
    </Button>
  </p>
)

type LoadStateProps = {
  readonly loaded: Loaded<unknown> & { readonly again: () => void }
  /** Such as "the keys". */
  readonly what: string
  /** Said where the service has nothing of the kind. */
  readonly missing?: string
}

export const LoadState = ({ loaded, what, missing = 'This service does not have them.' }: LoadStateProps) => {
  if (loaded.kind === 'found') return null
  if (loaded.kind === 'loading') return <p className="card-note">Reading {what}…</p>
  return <LoadFailed why={loaded.kind === 'failed' ? loaded.why : missing} onAgain={loaded.again} />
}
