// New items: the digests of local files, or a text, and what becomes of them.
import { useEffect, useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { MOST_FILES, takeGiven } from '../hashing/given_files.ts'
import { useWindowDrop } from '../hashing/window_drop.tsx'
import { entriesOf } from '../items/draft.ts'
import { NewItemsForm, Unanswered } from '../items/new_items_form.tsx'
import { SubmittedItems } from '../items/submitted_items.tsx'
import { type NewItems, useNewItems } from '../items/use_new_items.ts'
import { Timeline } from '../proofs/timeline.tsx'
import { useWay } from '../proofs/use_way.ts'
import { droppedFiles } from '../ui/dropped_files.ts'

export const NewItemPage = () => {
  const items = useNewItems()
  const { sent } = items.draft
  return (
    <>
      <title>New item · Pharos</title>
      <main className="plain-page">
        {sent === null ? <Form items={items} /> : <SentItems items={items} />}
      </main>
    </>
  )
}

const Form = ({ items }: { items: NewItems }) => {
  const { addFiles } = items
  useWindowDrop({
    words: 'Add it to this submission',
    note: 'Only its fingerprint leaves this computer.',
    take: (transfer) => void droppedFiles(transfer, MOST_FILES).then(addFiles),
  })
  useEffect(() => {
    const files = takeGiven()
    if (files.length > 0) addFiles({ files, isCut: false })
  }, [addFiles])
  return (
    <>
      <header className="page-head">
        <h1>New item</h1>
        <p>
          An item says that something existed: a file by its fingerprint, or a text. It is stored and signed
          at once.
        </p>
      </header>
      <NewItemsForm items={items} isWhole onClear={() => undefined} />
    </>
  )
}

/** From the first request on. Also after a reload, until the person begins another. */
const SentItems = ({ items }: { items: NewItems }) => {
  const { draft, forget } = items
  const [, navigate] = useLocation()
  const entries = useMemo(() => entriesOf(draft), [draft])
  const outcomes = draft.sent?.outcomes ?? null
  const [only] = outcomes ?? []
  const onlyId = outcomes?.length === 1 && only !== undefined && 'id' in only ? only.id : null
  useEffect(() => {
    if (onlyId === null) return
    // After the effect that keeps the draft, which would otherwise keep it once more.
    queueMicrotask(() => {
      forget()
      navigate(`/items/${onlyId}`, { replace: true })
    })
  }, [onlyId, forget, navigate])
  if (onlyId !== null) return null
  return (
    <>
      <header className="page-head page-actions">
        <div>
          <h1>{outcomes === null ? 'Handing in…' : 'Handed in'}</h1>
          {outcomes !== null && (
            <p>This page shows how far each is, until you begin another. You may leave it.</p>
          )}
        </div>
        {outcomes !== null && (
          <button type="button" className="button primary" data-testid="another" onClick={forget}>
            Timestamp others
          </button>
        )}
      </header>
      {outcomes === null ? (
        <Unanswered items={items} />
      ) : (
        <SubmittedItems entries={entries} outcomes={outcomes}>
          {({ stage, blockId }) =>
            stage === 'gone' ? null : (
              <section className="card" aria-labelledby="submitted-wait">
                <h2 id="submitted-wait">The last of them</h2>
                <OnItsWay stage={stage} blockId={blockId} />
                {stage === 'ready' && (
                  <Link to="/items" className="button">
                    To the items, and their proofs
                  </Link>
                )}
              </section>
            )
          }
        </SubmittedItems>
      )}
    </>
  )
}

const OnItsWay = (on: Parameters<typeof useWay>[0]) => <Timeline way={useWay(on)} />
