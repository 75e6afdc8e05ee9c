// The items of the team, newest first, and a search by file.
import { useCallback, useState } from 'react'
import { Link } from 'wouter'
import { useChain } from '../beacons/chain_context.ts'
import { useDocument } from '../data/use_document.ts'
import { useStore } from '../data/use_store.ts'
import { FindByFile, isDigest } from '../items/find_by_file.tsx'
import { readItemPage, WITH_BLOCK } from '../items/item.ts'
import { ItemRows } from '../items/item_rows.tsx'
import { Pager } from '../ui/pager.tsx'

const FIRST_PAGE = `/api/json/items?page[limit]=25&${WITH_BLOCK}`

export const ItemsPage = () => {
  const { feed } = useChain()
  const head = useStore(feed.state).list.rows[0]?.id ?? null
  const [digest, setDigest] = useState('')
  const [chosenPage, setChosenPage] = useState<string | null>(null)
  const search = isDigest(digest) ? digest : null
  const path = chosenPage ?? (search === null ? FIRST_PAGE : `${FIRST_PAGE}&filter[hash]=${search}`)
  const loaded = useDocument(path, { read: readItemPage, pulse: head })
  const find = useCallback((next: string): void => {
    setChosenPage(null)
    setDigest(next)
  }, [])
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
            Submit an item
          </Link>
        </header>
        <div className="side-by-side" data-wide="left">
          <div className="main-side" aria-busy={loaded.kind === 'loading'}>
            {loaded.kind === 'loading' && <p className="card-note">Reading the items…</p>}
            {loaded.kind === 'failed' && <p className="problem">{loaded.why}</p>}
            {loaded.kind === 'found' && (
              <>
                {search !== null && (
                  <p className="notice" data-tone="calm" role="status" data-testid="found-count">
                    {loaded.value.rows.length === 0
                      ? 'No item of your team claims this digest.'
                      : `Items that claim ${search.slice(0, 16)}…`}
                  </p>
                )}
                {search === null && loaded.value.rows.length === 0 && <Empty />}
                <ItemRows items={loaded.value.rows} />
                <Pager previous={loaded.value.previous} next={loaded.value.next} onChoose={setChosenPage} />
              </>
            )}
          </div>
          <div className="side">
            <FindByFile digest={digest} onDigest={find} />
          </div>
        </div>
      </main>
    </>
  )
}

const Empty = () => (
  <div className="empty">
    <h2>No items yet</h2>
    <p>An item claims something about data, usually the digest of a file. The data stay with you.</p>
    <Link to="/items/new" className="button primary">
      Submit the first one
    </Link>
  </div>
)
