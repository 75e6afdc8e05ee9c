// The line above the live list: whether it is live, how many rows are here, and how many new ones wait to be
// shown.
import './items.css'
import { useRef } from 'react'
import { count } from '../ui/format_count.ts'
import type { ItemFeedState } from './item_feed.ts'
import { type ItemFilter, isCostly } from './item_filter.ts'

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
    <div className="item-list-head">
      <p className="item-live-line" data-live={state.live} data-testid="live-line" ref={line} tabIndex={-1}>
        <span className="status-lamp" aria-hidden="true" />
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
