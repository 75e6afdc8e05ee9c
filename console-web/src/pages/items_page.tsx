// The items of the team, newest first, live, narrowed by the filter in the address, and a search by file.

import { useCallback, useMemo, useRef } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { addressOf, type ItemFilter, NO_FILTER, readFilter, useItems } from '../items/item_filter.ts'
import { FindByFile, ItemFilterBar } from '../items/item_filter_bar.tsx'
import { ItemListHead, LiveItemRows } from '../items/live_item_rows.tsx'
import { NoItems, NotListed } from '../items/no_items.tsx'
import { type PageHelp, useKeys, usePageHelp } from '../ui/over/use_keys.ts'
import { PlainPage } from '../ui/plain_page.tsx'

const HELP: PageHelp = {
  keys: [
    [['j', 'k'], 'to the next item, and back'],
    [['Enter'], 'open it'],
    [['f'], 'narrow the list by a name or a digest'],
    [['n'], 'a new item'],
  ],
}

export const ItemsPage = () => {
  const [, navigate] = useLocation()
  const said = useSearch()
  const filter = useMemo(() => readFilter(said), [said])
  const field = useRef<HTMLInputElement>(null)
  const isTyping = useRef(false)
  const show = useCallback(
    (next: ItemFilter, isTyped = false): void => {
      // One step back leads to before the typing, not through every letter.
      navigate(addressOf(next), { replace: isTyped && isTyping.current })
      isTyping.current = isTyped
    },
    [navigate],
  )
  const find = useCallback(
    (digest: string): void => show(digest === '' ? NO_FILTER : { ...NO_FILTER, text: digest }),
    [show],
  )
  usePageHelp(HELP)
  useKeys({ f: () => field.current?.focus(), n: () => navigate('/items/new') })
  return (
    <PlainPage
      title="Items"
      intro="What your team has submitted, newest first."
      act={
        <Link to="/items/new" className="button primary" data-testid="new-item">
          New item
        </Link>
      }
    >
      <div className="items-main">
        <ItemFilterBar filter={filter} onChange={show} field={field} />
        <FindByFile onDigest={find} />
        <Listed key={addressOf(filter)} filter={filter} onFilter={show} />
      </div>
    </PlainPage>
  )
}

type ListedProps = { readonly filter: ItemFilter; readonly onFilter: (filter: ItemFilter) => void }

const Listed = ({ filter, onFilter }: ListedProps) => {
  const { list, state, rows, unseen } = useItems(filter)
  const { first } = state
  const reading = useCallback(
    (isReading: boolean): void => {
      if (!isReading) list.release()
      else if (list.state.read().heldAt === null && list.state.read().rows.length > 0) list.hold()
    },
    [list],
  )
  const showNewest = (): void => {
    // First to the top: rows that come in above the window would push the page.
    window.scrollTo({ top: 0, behavior: 'instant' })
    list.release()
    if (state.unread > 0) void list.read()
  }
  return (
    <section aria-label="Items" aria-busy={first.kind === 'loading'}>
      <ItemListHead state={state} filter={filter} shown={rows.length} unseen={unseen} onNew={showNewest} />
      {first.kind === 'failed' && (
        <NotListed failure={first} filter={filter} onFilter={onFilter} onAgain={list.read} />
      )}
      {first.kind === 'read' && state.rows.length === 0 && <NoItems filter={filter} onFilter={onFilter} />}
      <LiveItemRows
        rows={rows}
        olderThan={addressOf({ ...filter, to: rows.at(-1)?.insertedAt.slice(0, 16) ?? filter.to })}
        older={state.older}
        onOlder={list.loadOlder}
        onReading={reading}
      />
    </section>
  )
}
