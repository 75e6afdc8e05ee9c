// New items: the digests of local files, or a text, and what becomes of them.
import { type FormEvent, useEffect, useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { droppedFiles } from '../hashing/dropped_files.ts'
import { FilesDrop } from '../hashing/files_drop.tsx'
import { HashTypeSelect } from '../hashing/hash_type_select.tsx'
import { draftProblems, entriesOf, MOST_FILES } from '../items/draft.ts'
import { DraftFields } from '../items/draft_fields.tsx'
import { FileEntries } from '../items/file_entries.tsx'
import { Outgoing } from '../items/outgoing.tsx'
import { SubmittedItems } from '../items/submitted_items.tsx'
import { TextEntry } from '../items/text_entry.tsx'
import { type NewItems, useNewItems } from '../items/use_new_items.ts'
import { ProofWait } from '../proofs/proof_wait.tsx'
import { Choice } from '../ui/choice.tsx'
import { count } from '../ui/format_count.ts'
import { useInvalidFocus } from '../ui/use_invalid_focus.ts'
import { useWindowDrop } from '../ui/use_window_drop.ts'

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
  const { draft, change } = items
  // Another number for each attempt.
  const [tried, setTried] = useState(0)
  const problems = useMemo(() => draftProblems(draft), [draft])
  const entries = useMemo(() => entriesOf(draft), [draft])
  const shown = tried > 0 ? problems : NO_PROBLEMS
  const form = useInvalidFocus(tried)
  useWindowDrop((transfer) => void droppedFiles(transfer, MOST_FILES).then(items.addFiles))
  const isHashing = draft.way === 'files' && draft.files.some(({ hex, why }) => hex === null && why === null)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTried(tried + 1)
    if (problems.size === 0) items.submit()
  }
  return (
    <>
      <header className="page-head">
        <h1>New item</h1>
        <p>An item is a claim about data. It is stored and signed at once, and part of the next block.</p>
      </header>
      <form className="side-by-side new-item" data-wide="left" onSubmit={submit} noValidate ref={form}>
        <div className="main-side card new-item-what">
          <Choice
            label="About"
            options={{ files: 'Files', text: 'A text' }}
            value={draft.way}
            onChange={(way) => change({ way })}
          />
          {draft.way === 'files' ? (
            <>
              <FilesDrop most={MOST_FILES} onFiles={items.addFiles} />
              {items.found !== null && (
                <p className="notice" role="status">
                  {items.found}
                </p>
              )}
              {draft.files.length > 0 && (
                <FileEntries
                  files={draft.files}
                  queue={items.queue}
                  problems={shown}
                  onRename={items.rename}
                  onRemove={items.remove}
                />
              )}
              <Problem words={shown.get('files')} />
            </>
          ) : (
            <TextEntry draft={draft} problems={shown} onChange={change} />
          )}
          {(draft.way === 'files' || draft.textAs === 'digest') && (
            <HashTypeSelect label="Hashed with" value={draft.hashType} onChange={items.setType} />
          )}
          <DraftFields draft={draft} problems={shown} onChange={change} />
        </div>
        <div className="side card">
          <Outgoing draft={draft} entries={entries} />
          <div className="new-item-foot">
            <button type="submit" className="button primary" data-testid="submit-item" disabled={isHashing}>
              {isHashing
                ? 'Hashing…'
                : entries.length > 1
                  ? `Submit ${count(entries.length)} items`
                  : 'Submit'}
            </button>
            <button type="button" className="button" data-testid="forget-draft" onClick={items.forget}>
              Clear
            </button>
          </div>
          {tried > 0 && problems.size > 0 && (
            <Problem words="Something is missing. It is said where it belongs." />
          )}
        </div>
      </form>
    </>
  )
}

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map()

const Problem = ({ words }: { words: string | undefined }) =>
  words === undefined ? null : (
    <p className="problem" role="alert">
      {words}
    </p>
  )

/** From the first request on. Also after a reload, until the person begins another. */
const SentItems = ({ items }: { items: NewItems }) => {
  const { draft, forget } = items
  const [, navigate] = useLocation()
  const entries = useMemo(() => entriesOf(draft), [draft])
  const outcomes = draft.sent?.outcomes ?? []
  const isDone = outcomes.every((outcome) => outcome !== null)
  const [only] = outcomes
  const onlyId = outcomes.length === 1 && only !== undefined && only !== null && 'id' in only ? only.id : null
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
          <h1>{isDone ? 'Submitted' : 'Submitting…'}</h1>
          <p>
            {isDone
              ? 'This page shows how far each is, until you begin another. You may leave it.'
              : `${count(outcomes.filter((outcome) => outcome !== null).length)} of ${count(outcomes.length)} answered.`}
          </p>
        </div>
        {isDone && (
          <button type="button" className="button primary" data-testid="another" onClick={forget}>
            Submit others
          </button>
        )}
      </header>
      {!isDone && <Unanswered items={items} />}
      {isDone && (
        <SubmittedItems entries={entries} outcomes={outcomes}>
          {({ stage, blockId }) =>
            stage === 'no_block' || stage === 'waiting' ? (
              <section className="card" aria-labelledby="submitted-wait">
                <h2 id="submitted-wait">Until all can be proven</h2>
                <ProofWait stage={stage} blockId={blockId} />
              </section>
            ) : (
              <section className="card" aria-labelledby="submitted-ready">
                <h2 id="submitted-ready">All can be proven</h2>
                <p className="card-note">The page of each has its proof, to be kept with the file.</p>
                <Link to="/items" className="button">
                  To the items
                </Link>
              </section>
            )
          }
        </SubmittedItems>
      )}
    </>
  )
}

const Unanswered = ({ items }: { items: NewItems }) => (
  <div className="unanswered">
    {items.failure === null ? (
      <progress aria-label="Submitting" />
    ) : (
      <>
        <p className="problem" role="alert" data-testid="submit-failure">
          {items.failure}
        </p>
        <div className="thing-acts">
          <button type="button" className="button primary" data-testid="send-again" onClick={items.submit}>
            Send again
          </button>
          <button type="button" className="button" onClick={items.giveUp}>
            Change the draft
          </button>
        </div>
      </>
    )}
  </div>
)
