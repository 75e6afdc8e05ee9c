// The form for a new item: the digest of a local file, or words, and their name.
import { type FormEvent, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { HashType } from '../../../shared/proof/claims.ts'
import { useConsole } from '../data/console_context.ts'
import { useAsked } from '../data/use_asked.ts'
import { FileHashLine } from '../hashing/file_hash_line.tsx'
import { HashTypeSelect } from '../hashing/hash_type_select.tsx'
import { useFileHash } from '../hashing/use_file_hash.ts'
import { type Draft, draftProblems, EMPTY_DRAFT } from '../items/draft.ts'
import { DraftFields } from '../items/draft_fields.tsx'
import { newIdempotencyKey, submitItem } from '../items/submit_item.ts'
import { FileDrop } from '../ui/file_drop.tsx'

const LONGEST_NAME = 64

export const NewItemPage = () => {
  const { api } = useConsole()
  const [, navigate] = useLocation()
  const [draft, setDraft] = useState<Draft>(EMPTY_DRAFT)
  const [type, setType] = useState<HashType>('sha256')
  const [tried, setTried] = useState(false)
  // A changed draft is a new item and gets a new key. Pressing the button again after a failure keeps the
  // key.
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey)
  const { state: hashing, start, cancel } = useFileHash()
  const { state, ask } = useAsked()
  const problems = draftProblems(draft)
  const busy = state.kind === 'asking' || hashing.kind === 'hashing'

  const change = (next: Partial<Draft>): void => {
    setDraft((now) => ({ ...now, ...next }))
    setIdempotencyKey(newIdempotencyKey())
  }
  const takeFile = (file: File): void => {
    if (draft.name === '') change({ name: [...file.name].slice(0, LONGEST_NAME).join('') })
    start(file, type)
  }
  useEffect(() => {
    const digest = hashing.kind === 'done' ? { type: hashing.type, hex: hashing.hex } : null
    setDraft((now) => ({ ...now, digest }))
    setIdempotencyKey(newIdempotencyKey())
  }, [hashing])

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (problems.size > 0) return
    ask(async (signal) => {
      const id = await submitItem(api, draft, idempotencyKey, signal)
      navigate(`/items/${id}`, { replace: true })
    })
  }

  return (
    <>
      <title>Submit an item · Pharos</title>
      <main className="plain-page">
        <header className="page-head">
          <h1>Submit an item</h1>
          <p>
            It is stored, hashed and signed at once, and part of the next block. What you claim here is hashed
            as it is and cannot be changed afterwards.
          </p>
        </header>
        <form className="side-by-side" onSubmit={submit} noValidate>
          <div className="side">
            <section className="card" aria-labelledby="new-item-file">
              <h2 id="new-item-file">A file</h2>
              {hashing.kind === 'none' ? (
                <FileDrop caption="Choose a file" testId="item-file" onFile={takeFile}>
                  <p>
                    <strong>Drop a file here</strong>
                    <small>It is hashed in this browser and stays on this computer.</small>
                  </p>
                </FileDrop>
              ) : (
                <FileHashLine state={hashing} onCancel={cancel} />
              )}
              <HashTypeSelect
                label="hashed with"
                value={type}
                onChange={(next) => {
                  setType(next)
                  if (hashing.kind !== 'none') start(hashing.file, next)
                }}
              />
              {tried && problems.has('hash') && (
                <p className="problem" role="alert">
                  {problems.get('hash')}
                </p>
              )}
            </section>
          </div>
          <div className="main-side card">
            <DraftFields draft={draft} problems={tried ? problems : NO_PROBLEMS} onChange={change} />
            {state.kind === 'failed' && (
              <p className="problem" role="alert" data-testid="submit-failure">
                {state.why}
              </p>
            )}
            <button type="submit" className="button primary" data-testid="submit-item" disabled={busy}>
              {state.kind === 'asking' ? 'Submitting…' : hashing.kind === 'hashing' ? 'Hashing…' : 'Submit'}
            </button>
          </div>
        </form>
      </main>
    </>
  )
}

const NO_PROBLEMS: ReadonlyMap<string, string> = new Map()
