// New items: the digests of local files, or a text, and what becomes of them.

import { useCallback, useEffect, useMemo } from 'react'
import { Link, useLocation } from 'wouter'
import { givenFiles, MOST_FILES, takeFiles } from '../data/given_files.ts'
import { useWindowDrop } from '../hashing/window_drop.tsx'
import { entriesOf } from '../items/draft.ts'
import { NewItemsForm, Unanswered } from '../items/new_items_form.tsx'
import { SubmittedItems } from '../items/submitted_items.tsx'
import { type NewItems, useNewItems, useOnlyItem } from '../items/use_new_items.ts'
import { Timeline } from '../proofs/timeline.tsx'
import { useWay } from '../proofs/use_way.ts'
import { Button } from '../ui/button.tsx'
import { droppedFiles } from '../ui/dropped_files.ts'
import { PageHead } from '../ui/plain_page.tsx'
import { Card } from '../ui/section.tsx'

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
    const files = takeFiles(givenFiles)
    if (files.length > 0) addFiles({ files, isCut: false })
  }, [addFiles])
  return (
    <>
      <PageHead name="New item">
        <p>
          An item says that something existed: a file by its fingerprint, or a text. It is stored and signed
          at once.
        </p>
      </PageHead>
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
  const onlyId = useOnlyItem(
    items,
    useCallback((id: string) => navigate(`/items/${id}`, { replace: true }), [navigate]),
  )
  if (onlyId !== null) return null
  return (
    <>
      {outcomes === null ? (
        <>
          <PageHead name="Handing in…" />
          <Unanswered items={items} />
        </>
      ) : (
        <>
          <PageHead
            name="Handed in"
            act={
              <Button look="primary" data-testid="another" onClick={forget}>
                Timestamp others
              </Button>
            }
          >
            <p>This page shows how far each is, until you begin another. You may leave it.</p>
          </PageHead>
          <SubmittedItems entries={entries} outcomes={outcomes}>
            {({ stage, blockId }) =>
              stage === 'gone' ? null : (
                <Card title="The last of them">
                  <OnItsWay stage={stage} blockId={blockId} />
                  {stage === 'ready' && (
                    <Link to="/items" className="button">
                      To the items, and their proofs
                    </Link>
                  )}
                </Card>
              )
            }
          </SubmittedItems>
        </>
      )}
    </>
  )
}

const OnItsWay = (on: Parameters<typeof useWay>[0]) => <Timeline way={useWay(on)} />
