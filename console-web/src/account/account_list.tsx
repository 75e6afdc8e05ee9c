// A list of the account: its rows, or why there are none, and the way to older ones.
import { type ReactNode, useState } from 'react'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { pathWith } from '../data/list_filter.ts'
import type { Page } from '../data/resource.ts'
import { useDocument } from '../data/use_document.ts'
import { Button } from '../ui/button.tsx'
import { LoadState } from '../ui/load/load_failed.tsx'

type Listed<T> = { readonly path: string; readonly readPage: (document: JsonValue) => Page<T> }

/**
 * The page of a list that is shown, and the way back to the first one.
 * @param query what is asked for of it, and with it
 */
export const useAccountList = <T,>(
  { path, readPage }: Listed<T>,
  query: Readonly<Record<string, string>> = {},
) => {
  const first = pathWith(path, { ...query, 'page[limit]': '50' })
  const [shown, onPage] = useState(first)
  const loaded = useDocument(shown, { read: readPage })
  return { loaded, onPage, toFirst: () => onPage(first) }
}

type AccountListProps<T> = {
  readonly list: ReturnType<typeof useAccountList<T>>
  /** Such as "the keys". */
  readonly what: string
  /** The name of the list. */
  readonly label: string
  /** Shown in place of the list while nothing is in it. */
  readonly empty?: ReactNode
  readonly row: (one: T) => ReactNode
  /** Further rows. */
  readonly more?: ReactNode
  /** Above the list, and below it. */
  readonly before?: ReactNode
  readonly after?: ReactNode
}

export const AccountList = <T,>(props: AccountListProps<T>) => {
  const { what, label, empty = null, row } = props
  const { loaded, onPage } = props.list
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

type PagerProps = Omit<Page<unknown>, 'rows'> & { readonly onChoose: (path: string) => void }

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
