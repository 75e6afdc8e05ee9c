// Shown in place of the list of items when it is empty: nothing was submitted yet, or nothing fits.
import './items.css'
import { Link } from 'wouter'
import { digestIn, type ItemFilter, isCostly, NO_FILTER } from './item_filter.ts'
import { SubmitHint } from './submit_hint.tsx'

type NoItemsProps = {
  readonly filter: ItemFilter
  readonly isNarrowed: boolean
  readonly onFilter: (filter: ItemFilter) => void
}

export const NoItems = ({ filter, isNarrowed, onFilter }: NoItemsProps) =>
  isNarrowed ? (
    <div className="empty" data-testid="no-match">
      <h2>Nothing like that</h2>
      <p>{wordsFor(filter)}</p>
      <div className="thing-acts">
        <button type="button" className="button" onClick={() => onFilter(NO_FILTER)}>
          Show all items
        </button>
        {isItemId(filter.text) && (
          <Link className="button" to={`/items/${filter.text}`}>
            Open the item of this id
          </Link>
        )}
      </div>
    </div>
  ) : (
    <div className="empty" data-testid="no-items">
      <h2>No items yet</h2>
      <p>An item claims something about data, usually the digest of a file. The data stay with you.</p>
      <Link to="/items/new" className="button primary">
        Submit the first one
      </Link>
      <SubmitHint />
    </div>
  )

const wordsFor = (filter: ItemFilter): string => {
  if (filter.text !== null && digestIn(filter.text) !== null)
    return 'No item of your team claims this digest, and none has it as its own hash.'
  if (isCostly(filter)) return 'No name of an item of your team contains this. Upper and lower case count.'
  return 'No item of your team fits this. One that does will show up here by itself.'
}

const isItemId = (text: string | null): boolean => text !== null && /^[0-9A-HJKMNP-TV-Z]{26}$/i.test(text)
