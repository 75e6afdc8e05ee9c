// A list of the account: its rows, or why there are none, and the way to older ones.
import type { ReactNode } from 'react'
import type { Page } from '../data/resource.ts'
import type { Loaded } from '../data/use_document.ts'
import { Button } from '../ui/button.tsx'
import { LoadState } from '../ui/load/load_failed.tsx'

type AccountListProps<T> = {
  readonly loaded: Loaded<Page<T>> & { readonly again: () => void }
  /** Such as "the keys". */
  readonly what: string
  /** The name of the list. */
  readonly label: string
  /** Shown in place of the list while nothing is in it. */
  readonly empty?: ReactNode
  readonly row: (one: T) => ReactNode
  /** Further rows. */
  readonly more?: ReactNode
  /** Called with the path of another page. */
  readonly onPage: (path: string) => void
  /** Above the list, and below it. */
  readonly before?: ReactNode
  readonly after?: ReactNode
}

export const AccountList = <T,>(props: AccountListProps<T>) => {
  const { loaded, what, label, empty = null, row, onPage } = props
  return (
    <div className="main-side" aria-busy={loaded.kind === 'loading'}>
      {props.before}
      <LoadState loaded={loaded} what={what} />
      {loaded.kind === 'found' && (
        <>
          {loaded.value.rows.length === 0 ? (
            empty
          ) : (
            <ul className="card flush list" aria-label={label}>
              {loaded.value.rows.map(row)}
              {props.more}
            </ul>
          )}
          {props.after}
          <Pager previous={loaded.value.previous} next={loaded.value.next} onChoose={onPage} />
        </>
      )}
    </div>
  )
}

type PagerProps = {
  readonly previous: string | null
  readonly next: string | null
  readonly onChoose: (path: string) => void
}

/** Buttons to the next and the previous page, which use the cursors of the documents. */
const Pager = ({ previous, next, onChoose }: PagerProps) =>
  previous === null && next === null ? null : (
    <nav className="pager" aria-label="Pages">
      <Button disabled={previous === null} onClick={() => previous !== null && onChoose(previous)}>
        Newer
      </Button>
      <Button disabled={next === null} onClick={() => next !== null && onChoose(next)}>
        Older
      </Button>
    </nav>
  )
