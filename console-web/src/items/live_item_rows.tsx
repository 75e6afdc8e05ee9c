// The live list of items, and the line above it. Only the rows near the window are rendered, and nothing is added above a row
// that somebody reads or that has the focus.
import './items.css'
import { type RefObject, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { OlderPages } from '../data/stream/live_list.ts'
import { count } from '../ui/format_count.ts'
import { OlderLine } from '../ui/list/older_line.tsx'
import { ROW_HEIGHT, useWindowRows } from '../ui/list/use_window_rows.ts'
import { useKeys } from '../ui/over/use_keys.ts'
import type { ItemFeedState } from './item_feed.ts'
import { type ItemFilter, isCostly } from './item_filter.ts'
import { type ItemList, MAX_ROWS } from './item_list.ts'
import { ItemRow } from './item_row.tsx'

type LiveItemRowsProps = {
  readonly rows: ItemList
  /** The address of the list from its last row on. */
  readonly olderThan: string
  readonly older: OlderPages
  readonly onOlder: () => void
  /** Called with true when somebody reads below the first row, and with false at the top again. */
  readonly onReading: (isReading: boolean) => void
}

export const LiveItemRows = ({ rows, olderThan, older, onOlder, onReading }: LiveItemRowsProps) => {
  const box = useRef<HTMLOListElement>(null)
  const { items: shown, top } = useWindowRows(rows, box, older, onOlder)
  useReading(box, onReading)
  useRowKeys(box)
  return (
    <>
      <ol
        className="list far item-rows"
        ref={box}
        style={{ height: rows.length * ROW_HEIGHT }}
        aria-label="Items, newest first"
      >
        {shown.map(({ index, start }) => {
          const item = rows[index]
          if (item === undefined) return null
          return (
            <li
              key={item.id}
              data-id={item.id}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <ItemRow item={item} />
            </li>
          )
        })}
      </ol>
      {rows.length > 0 && (
        <OlderLine
          older={older}
          rows="items"
          end="That is all."
          bounded={
            <>
              This page holds {count(MAX_ROWS)} items. <Link to={olderThan}>Older ones</Link>
            </>
          }
          onOlder={onOlder}
        />
      )}
    </>
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
  readonly state: ItemFeedState
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
      <p className="live-line" data-live={state.live} data-testid="live-line" ref={line} tabIndex={-1}>
        <span className="lamp" data-tone={state.live ? 'good' : undefined} aria-hidden="true" />
        <span>
          <span role="status">{liveWords(state, filter)}</span>{' '}
          {state.first.kind === 'read' && shown > 0 && shownWords(state, shown)}
        </span>
      </p>
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

const liveWords = ({ first, live }: ItemFeedState, filter: ItemFilter): string => {
  if (first.kind === 'loading') return 'Reading the items…'
  if (first.kind === 'failed') return 'Not read.'
  if (!live) return 'Not connected. What happens meanwhile is read as soon as the connection is back.'
  return isCostly(filter) ? 'States are live. New items are looked through when you ask.' : 'Live.'
}

const shownWords = ({ older }: ItemFeedState, shown: number): string =>
  `${count(shown)}${older.kind === 'end' ? '' : ' or more'} here.`

const newWords = ({ isBehind, unread }: ItemFeedState, unseen: number): string | null => {
  if (isBehind) return 'Many new: show the newest'
  if (unread > 0) return `${count(unread)} new: look again`
  return unseen > 0 ? `${count(unseen)} new` : null
}
