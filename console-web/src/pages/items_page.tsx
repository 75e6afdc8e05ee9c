// The items of the team, newest first, live, narrowed by the filter in the address, and a search by file.
import { useCallback, useMemo, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { newerThan } from '../data/newest_first.ts'
import { type ItemFeed, type ItemFeedState, useItemFeed } from '../items/item_feed.ts'
import { addressOf, type ItemFilter, isNarrowed, NO_FILTER, readFilter } from '../items/item_filter.ts'
import { FindByFile, ItemFilterBar } from '../items/item_filter_bar.tsx'
import { ItemListHead, LiveItemRows } from '../items/live_item_rows.tsx'
import { NoItems, NotListed } from '../items/no_items.tsx'
import { lazyPart } from '../ui/load/lazy.tsx'
import { usePageHelp } from '../ui/over/page_help.ts'
import { useKeys } from '../ui/over/use_keys.ts'

const KeysDialog = lazyPart(async () => (await import('../ui/over/keys_dialog.tsx')).KeysDialog)

const KEYS = [
  [['j', 'k'], 'to the next item, and back'],
  [['Enter'], 'open it'],
  [['f'], 'narrow the list by a name or a digest'],
  [['n'], 'a new item'],
] as const

export const ItemsPage = () => {
  const [, navigate] = useLocation()
  const said = useSearch()
  const filter = useMemo(() => readFilter(said), [said])
  const field = useRef<HTMLInputElement>(null)
  const [isHelpOpen, setHelpOpen] = useState(false)
  usePageHelp(useCallback(() => setHelpOpen(true), []))
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
  useKeys({
    f: () => {
      field.current?.focus()
      return true
    },
    n: () => {
      navigate('/items/new')
      return true
    },
  })
  return (
    <>
      <title>Items · Pharos</title>
      <main className="plain-page">
        <header className="page-head page-actions">
          <div>
            <h1>Items</h1>
            <p>What your team has submitted, newest first.</p>
          </div>
          <Link to="/items/new" className="button primary" data-testid="new-item">
            New item
          </Link>
        </header>
        <div className="items-main">
          <ItemFilterBar filter={filter} onChange={show} field={field} />
          <FindByFile onDigest={find} />
          <Listed key={addressOf(filter)} filter={filter} onFilter={show} />
        </div>
      </main>
      {isHelpOpen && <KeysDialog keys={KEYS} onClose={() => setHelpOpen(false)} />}
    </>
  )
}

type ListedProps = { readonly filter: ItemFilter; readonly onFilter: (filter: ItemFilter) => void }

const Listed = ({ filter, onFilter }: ListedProps) => {
  const { feed, state } = useItemFeed(filter)
  const { list, first, heldAt } = state
  const unseen = heldAt === null ? 0 : newerThan(list, heldAt)
  const rows = useMemo(() => (unseen === 0 ? list : list.slice(unseen)), [list, unseen])
  const loadOlder = useCallback(() => void feed.loadOlder(), [feed])
  const reading = useCallback(
    (isReading: boolean): void => (isReading ? feed.hold() : feed.release()),
    [feed],
  )
  return (
    <section aria-label="Items" aria-busy={first.kind === 'loading'}>
      <ItemListHead
        state={state}
        filter={filter}
        shown={rows.length}
        unseen={unseen}
        onNew={() => showNewest(feed, state)}
      />
      {first.kind === 'failed' && (
        <NotListed failure={first} filter={filter} onFilter={onFilter} onAgain={() => void feed.read()} />
      )}
      {first.kind === 'read' && list.length === 0 && (
        <NoItems filter={filter} isNarrowed={isNarrowed(filter)} onFilter={onFilter} />
      )}
      <LiveItemRows
        rows={rows}
        olderThan={addressOf({ ...filter, to: rows.at(-1)?.insertedAt.slice(0, 16) ?? filter.to })}
        older={state.older}
        onOlder={loadOlder}
        onReading={reading}
      />
    </section>
  )
}

/** First to the top: rows that come in above the window would push the page. */
const showNewest = (feed: ItemFeed, { isBehind, unread }: ItemFeedState): void => {
  window.scrollTo({ top: 0, behavior: 'instant' })
  feed.release()
  if (isBehind) void feed.restart()
  else if (unread > 0) void feed.read()
}
