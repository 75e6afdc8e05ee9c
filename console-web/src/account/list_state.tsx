// What stands above a list of the account while there is none: that it is being read, or why it cannot be.
import type { Loaded } from '../data/use_document.ts'

type ListStateProps = {
  readonly loaded: Loaded<unknown> & { readonly again: () => void }
  /** Such as "the keys". */
  readonly what: string
}

export const ListState = ({ loaded, what }: ListStateProps) => {
  if (loaded.kind === 'found') return null
  if (loaded.kind === 'loading') return <p className="card-note">Reading {what}…</p>
  return (
    <p className="problem" role="alert" data-testid="list-problem">
      {loaded.kind === 'failed' ? loaded.why : 'This service does not have them.'}{' '}
      <button type="button" className="text-button" onClick={loaded.again}>
        Try again
      </button>
    </p>
  )
}
