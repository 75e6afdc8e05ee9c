// Shown when the list of items could not be read: why, and what finds the items all the same.
import './items.css'
import type { ItemFilter } from './item_filter.ts'

type NotListedProps = {
  readonly failure: { readonly why: string; readonly code: string | null }
  readonly filter: ItemFilter
  readonly onFilter: (filter: ItemFilter) => void
  readonly onAgain: () => void
}

export const NotListed = ({ failure, filter, onFilter, onAgain }: NotListedProps) =>
  failure.code === 'query_too_expensive' ? (
    <div className="empty" data-testid="too-many" role="alert">
      <h2>Too many items to look through</h2>
      <p>
        Finding this would mean looking at too many items one by one. A whole name, a tag or a digest is found
        at once; a shorter time leaves fewer to look at.
      </p>
      <div className="thing-acts">
        {filter.text !== null && !filter.whole && (
          <button type="button" className="button" onClick={() => onFilter({ ...filter, whole: true })}>
            It is the whole name
          </button>
        )}
        <button
          type="button"
          className="button"
          onClick={() => onFilter({ ...filter, from: dayBefore(filter.to) })}
        >
          Only the last 24 hours
        </button>
      </div>
    </div>
  ) : (
    <p className="problem" role="alert">
      The items could not be read: {failure.why}{' '}
      <button type="button" className="text-button" onClick={onAgain}>
        Try again
      </button>
    </p>
  )

const DAY_MS = 86_400_000

const dayBefore = (to: string | null): string =>
  new Date((to === null ? Date.now() : Date.parse(`${to}Z`)) - DAY_MS).toISOString().slice(0, 16)
