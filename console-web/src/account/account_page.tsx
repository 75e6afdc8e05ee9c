// The frame of the pages about the account of the person: the name of the page, the way to the others, whose account it is;
// and the list on most of them: its rows, or why there are none, and the way to older ones.
import './account.css'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { JsonValue } from '../../../shared/proof/json_value.ts'
import { useConsole } from '../data/console_context.ts'
import { pathWith } from '../data/list_filter.ts'
import type { Page } from '../data/resource.ts'
import { useDocument } from '../data/use_document.ts'
import { PLACES } from '../places/places.ts'
import { maskedKey } from '../session/api_key.ts'
import { useMe } from '../session/me.ts'
import { Button } from '../ui/button.tsx'
import { LoadState } from '../ui/load/load_failed.tsx'
import { PlainPage } from '../ui/plain_page.tsx'
import { Shown } from '../ui/shown_text.tsx'

type AccountPageProps = Parameters<typeof PlainPage>[0] & { readonly side?: ReactNode }

/** `title` is the name of its place, and `side` stands beside the content. */
export const AccountPage = ({ side, children, ...page }: AccountPageProps) => (
  <PlainPage className="account" {...page}>
    <AccountPlaces />
    <Beside side={side}>{children}</Beside>
  </PlainPage>
)

/** Two columns where something stands beside the content. */
export const Beside = ({ side, children }: { side: ReactNode; children: ReactNode }) =>
  side === undefined ? (
    children
  ) : (
    <div className="side-by-side" data-wide="left">
      {children}
      <div className="side">{side}</div>
    </div>
  )

/** A page below a place belongs to it: a team belongs to the teams. */
export const AccountPlaces = () => {
  const [path] = useLocation()
  return (
    <div className="account-places spread">
      <nav className="page-places" aria-label="Account">
        {PLACES.filter(({ to }) => to.startsWith('/account/')).map(({ to, name }) => (
          <Link key={to} to={to} aria-current={path.startsWith(to) ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      <Who />
    </div>
  )
}

/** Says nothing before it is known. */
const Who = () => {
  const { by } = useConsole()
  const email = useMe()?.email ?? null
  if (email === null) return null
  return (
    <p className="account-who">
      <Shown text={email} />
      {by.kind === 'key' && `, with the key ${maskedKey(by.key)}`}
    </p>
  )
}

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
