// Shown in place of the list of items when it is empty or could not be read: why, and what finds the items all the same.
import { Link } from 'wouter'
import { isNarrowed } from '../data/list_filter.ts'
import { Button } from '../ui/button.tsx'
import { LoadFailed } from '../ui/load/load_failed.tsx'
import { digestIn, type ItemFilter, idIn, isCostly, NO_FILTER } from './item_filter.ts'
import { SubmitHint } from './submit_hint.tsx'

type NoItemsProps = {
  readonly filter: ItemFilter
  readonly onFilter: (filter: ItemFilter) => void
}

export const NoItems = ({ filter, onFilter }: NoItemsProps) =>
  isNarrowed(filter) ? (
    <div className="empty" data-testid="no-match">
      <h2>Nothing like that</h2>
      <p>{wordsFor(filter)}</p>
      <div className="acts">
        <Button onClick={() => onFilter(NO_FILTER)}>Show all items</Button>
        {idIn(filter.text ?? '') !== null && (
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
  if (idIn(filter.text ?? '') !== null) return 'No item of your team has this id. One of others may.'
  if (filter.text !== null && digestIn(filter.text) !== null)
    return 'No item of your team claims this digest, and none has it as its own hash.'
  if (isCostly(filter)) return 'No name of an item of your team contains this. Upper and lower case count.'
  return 'No item of your team fits this. One that does will show up here by itself.'
}

type NotListedProps = NoItemsProps & {
  readonly failure: { readonly why: string; readonly code: string | null }
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
      <div className="acts">
        {filter.text !== null && filter.whole === null && (
          <Button onClick={() => onFilter({ ...filter, whole: 'yes' })}>It is the whole name</Button>
        )}
        <Button onClick={() => onFilter({ ...filter, from: dayBefore(filter.to) })}>
          Only the last 24 hours
        </Button>
      </div>
    </div>
  ) : (
    <LoadFailed why={`The items could not be read: ${failure.why}`} onAgain={onAgain} />
  )

const DAY_MS = 86_400_000

const dayBefore = (to: string | null): string =>
  new Date((to === null ? Date.now() : Date.parse(`${to}Z`)) - DAY_MS).toISOString().slice(0, 16)
