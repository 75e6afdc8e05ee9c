// The items of the team, newest first, live, narrowed by the filter in the address, and a search by file.
import { useMemo, useRef } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { addressOf, type ItemFilter, NO_FILTER, readFilter } from '../items/item_filter.ts'
import { FindByFile, ItemFilterBar } from '../items/item_filter_bar.tsx'
import { LiveItems } from '../items/live_items.tsx'
import { type PageHelp, useKeys, usePageHelp } from '../ui/over/use_keys.ts'
import { PlainPage } from '../ui/plain_page.tsx'

const HELP: PageHelp = {
  keys: [
    [['j', 'k'], 'to the next item, and back'],
    [['Enter'], 'open it'],
    [['f'], 'narrow the list: a name, a digest, an id, tag:lease, since yesterday, before 2026-11-20'],
    [['n'], 'a new item'],
  ],
}

export const ItemsPage = () => {
  const [, navigate] = useLocation()
  const said = useSearch()
  const filter = useMemo(() => readFilter(said), [said])
  const field = useRef<HTMLInputElement>(null)
  const isTyping = useRef(false)
  const show = (next: ItemFilter, isTyped = false, isDone = false): void => {
    // One step back leads to before the typing, not through every letter.
    navigate(addressOf(next), { replace: isTyped && isTyping.current })
    isTyping.current = isTyped && !isDone
  }
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
        <FindByFile onDigest={(digest) => show({ ...NO_FILTER, text: digest || null })} />
        <LiveItems key={addressOf(filter)} filter={filter} onFilter={show} />
      </div>
    </PlainPage>
  )
}
