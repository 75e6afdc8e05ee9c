// The live list of items, and the line above it. Nothing is added above a row that somebody reads or that has the focus.
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { Link } from 'wouter'
import type { ListState } from '../data/stream/list_rules.ts'
import type { LiveList } from '../data/stream/live_list.ts'
import { count } from '../ui/format.ts'
import { LiveLine, LiveRows } from '../ui/list/live_rows.tsx'
import { useKeys } from '../ui/over/use_keys.ts'
import { useWindowEvent } from '../ui/use_window_event.ts'
import type { ListedItem } from './item.ts'
import { addressOf, type ItemFilter, isCostly, MAX_ROWS, useItems } from './item_filter.ts'
import { ItemRow } from './item_row.tsx'
import { NoItems, NotListed } from './no_items.tsx'

type LiveItemsProps = { readonly filter: ItemFilter; readonly onFilter: (filter: ItemFilter) => void }

export const LiveItems = ({ filter, onFilter }: LiveItemsProps) => {
  const { list, state, rows, unseen } = useItems(filter)
  const { first } = state
  const line = useRef<HTMLParagraphElement>(null)
  const box = useRef<HTMLOListElement>(null)
  useReading(box, list)
  useRowKeys(box)
  const words = newWords(state, unseen)
  const showNewest = (): void => {
    // The button goes, so the line beside it takes the focus.
    line.current?.focus({ preventScroll: true })
    // First to the top: rows that come in above the window would push the page.
    window.scrollTo({ top: 0, behavior: 'instant' })
    list.release()
    if (state.unread > 0) void list.read()
  }
  return (
    <section aria-label="Items" aria-busy={first.kind === 'loading'}>
      <div className="list-head">
        <LiveLine
          state={state}
          shown={rows.length}
          rows="items"
          words={isCostly(filter) ? 'States are live. New items are looked through when you ask.' : 'Live.'}
          line={line}
        />
        {words !== null && (
          <button type="button" className="button new-count" data-testid="new-count" onClick={showNewest}>
            {words}
          </button>
        )}
      </div>
      {first.kind === 'failed' && (
        <NotListed failure={first} filter={filter} onFilter={onFilter} onAgain={list.read} />
      )}
      {first.kind === 'read' && state.rows.length === 0 && <NoItems filter={filter} onFilter={onFilter} />}
      <LiveRows
        rows={rows}
        label="Items, newest first"
        className="list item-rows"
        box={box}
        older={state.older}
        onOlder={list.loadOlder}
        words={{
          rows: 'items',
          end: 'That is all.',
          bounded: (
            <>
              This page holds {count(MAX_ROWS)} items.{' '}
              <Link to={addressOf({ ...filter, to: rows.at(-1)?.insertedAt.slice(0, 23) ?? filter.to })}>
                Older ones
              </Link>
            </>
          ),
        }}
      >
        {(item, index) => <ItemRow item={item} above={rows[index - 1]?.insertedAt} />}
      </LiveRows>
    </section>
  )
}

const PLACE_FOUND_MS = 400

/** Holds the list while somebody reads it: its first row is above the window, or one of its rows has the focus. */
const useReading = (box: RefObject<HTMLElement | null>, list: LiveList<ListedItem>): void => {
  const isPlaceFound = useRef(false)
  const look = (): void => {
    if (box.current === null) return
    const isAbove = box.current.getBoundingClientRect().top < 0
    const { heldAt, rows } = list.state.read()
    if (!isAbove && !box.current.contains(document.activeElement)) {
      if (isPlaceFound.current) list.release()
    } else if (heldAt === null && rows.length > 0) list.hold()
  }
  useWindowEvent('scroll', look)
  useWindowEvent('focusin', look)
  useWindowEvent('focusout', look)
  const settle = useEffectEvent((): void => {
    isPlaceFound.current = true
    look()
  })
  useEffect(() => {
    // Somebody who comes back is led to the place only after the list is there.
    const timer = setTimeout(() => settle(), PLACE_FOUND_MS)
    return () => clearTimeout(timer)
  }, [])
}

/** j and k move the focus from row to row. */
const useRowKeys = (box: RefObject<HTMLElement | null>): void => {
  const step = (by: 1 | -1): boolean => {
    const rows = [...(box.current?.querySelectorAll('li') ?? [])].sort(
      (a, b) => Number(a.ariaPosInSet) - Number(b.ariaPosInSet),
    )
    const at = rows.findIndex((row) => row.contains(document.activeElement))
    const inView = rows.findIndex((row) => row.getBoundingClientRect().top >= 0)
    const next = rows[at === -1 ? Math.max(0, inView) : at + by]?.querySelector('a')
    next?.focus()
    return next !== null && next !== undefined
  }
  useKeys({ j: () => step(1), k: () => step(-1) })
}

const newWords = ({ isBehind, unread }: ListState<ListedItem>, unseen: number): string | null => {
  if (isBehind) return 'Many new: show the newest'
  if (unread > 0) return `${count(unread)} new: look again`
  return unseen > 0 ? `${count(unseen)} new` : null
}
