// The live list of items, and the line above it. Nothing is added above a row that somebody reads or that has the focus.
import './items.css'
import { type RefObject, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { ListState, OlderPages } from '../data/stream/list_rules.ts'
import { count } from '../ui/format.ts'
import { LiveLine, LiveRows } from '../ui/list/live_rows.tsx'
import { useKeys } from '../ui/over/use_keys.ts'
import type { ListedItem } from './item.ts'
import { type ItemFilter, isCostly, MAX_ROWS } from './item_filter.ts'
import { ItemRow } from './item_row.tsx'

type LiveItemRowsProps = {
  readonly rows: readonly ListedItem[]
  /** The address of the list from its last row on. */
  readonly olderThan: string
  readonly older: OlderPages
  readonly onOlder: () => void
  /** Called with true when somebody reads below the first row, and with false at the top again. */
  readonly onReading: (isReading: boolean) => void
}

export const LiveItemRows = ({ rows, olderThan, older, onOlder, onReading }: LiveItemRowsProps) => {
  const box = useRef<HTMLOListElement>(null)
  useReading(box, onReading)
  useRowKeys(box)
  return (
    <LiveRows
      rows={rows}
      label="Items, newest first"
      className="list item-rows"
      box={box}
      older={older}
      onOlder={onOlder}
      words={{
        rows: 'items',
        end: 'That is all.',
        bounded: (
          <>
            This page holds {count(MAX_ROWS)} items. <Link to={olderThan}>Older ones</Link>
          </>
        ),
      }}
    >
      {(item) => <ItemRow item={item} />}
    </LiveRows>
  )
}

const PLACE_FOUND_MS = 400

/** The list is read when its first row is above the window, or when one of its rows has the focus. */
const useReading = (box: RefObject<HTMLElement | null>, onReading: (isReading: boolean) => void): void => {
  useEffect(() => {
    let isPlaceFound = false
    const look = (): void => {
      const list = box.current
      if (list === null) return
      const isAbove = list.getBoundingClientRect().top < 0
      const isReading = isAbove || list.contains(document.activeElement)
      if (isReading || isPlaceFound) onReading(isReading)
    }
    const looked = [
      ['scroll', { passive: true }],
      ['focusin', {}],
      ['focusout', {}],
    ] as const
    for (const [event, options] of looked) window.addEventListener(event, look, options)
    // Somebody who comes back is led to the place only after the list is there.
    const timer = setTimeout(() => {
      isPlaceFound = true
      look()
    }, PLACE_FOUND_MS)
    return () => {
      clearTimeout(timer)
      for (const [event] of looked) window.removeEventListener(event, look)
    }
  }, [box, onReading])
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

type ItemListHeadProps = {
  readonly state: ListState<ListedItem>
  readonly filter: ItemFilter
  readonly shown: number
  /** Newer items that the page holds and does not show yet. */
  readonly unseen: number
  readonly onNew: () => void
}

export const ItemListHead = ({ state, filter, shown, unseen, onNew }: ItemListHeadProps) => {
  const line = useRef<HTMLParagraphElement>(null)
  const words = newWords(state, unseen)
  return (
    <div className="list-head">
      <LiveLine
        state={state}
        shown={shown}
        rows="items"
        words={isCostly(filter) ? 'States are live. New items are looked through when you ask.' : 'Live.'}
        line={line}
      />
      {words !== null && (
        <button
          type="button"
          className="button new-count"
          data-testid="new-count"
          onClick={() => {
            // The button goes, so the line beside it takes the focus.
            line.current?.focus({ preventScroll: true })
            onNew()
          }}
        >
          {words}
        </button>
      )}
    </div>
  )
}

const newWords = ({ isBehind, unread }: ListState<ListedItem>, unseen: number): string | null => {
  if (isBehind) return 'Many new: show the newest'
  if (unread > 0) return `${count(unread)} new: look again`
  return unseen > 0 ? `${count(unseen)} new` : null
}
