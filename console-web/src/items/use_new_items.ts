// The draft of new items while its page is open: its files, their hashing, and its submission.

import { useCallback, useEffect, useRef, useState } from 'react'
import type { HashType } from '../../../shared/proof/claims.ts'
import { useConsole } from '../data/console_context.ts'
import { MOST_FILES } from '../data/given_files.ts'
import { useDraft } from '../data/kept/draft.ts'
import { pause } from '../data/retry_schedule.ts'
import { useAsked } from '../data/use_asked.ts'
import { count } from '../ui/format.ts'
import { type Draft, type DraftFile, EMPTY_DRAFT, entriesOf, keptOf, nameFor, readKept } from './draft.ts'
import { newIdempotencyKey, submitFailureWords, submitItems } from './submit_items.ts'

export type NewItems = ReturnType<typeof useNewItems>

export const useNewItems = () => {
  const { api } = useConsole()
  const kept = useDraft('items', EMPTY_DRAFT, { read: readKept, kept: keptOf })
  const { draft, setDraft, forget: forgetDraft } = kept
  const [found, setFound] = useState<string | null>(null)
  const { why, ask } = useAsked(submitFailureWords)
  const files = useRef(new Map<string, File>())
  const forget = useCallback((): void => {
    files.current.clear()
    setFound(null)
    forgetDraft()
  }, [forgetDraft])

  const change = useCallback(
    (part: Partial<Draft>): void => setDraft((now) => (now.sent === null ? { ...now, ...part } : now)),
    [setDraft],
  )
  const { length: held } = draft.files
  const addFiles = useCallback(
    (given: readonly File[]): void => {
      const room = MOST_FILES - held
      const added = given.slice(0, room).map((file) => ({ file, key: newIdempotencyKey() }))
      setFound(foundWords(given, room))
      for (const { key, file } of added) files.current.set(key, file)
      const rows = added.map(({ key, file }) => rowOf(key, file))
      setDraft((now) => ({ ...now, way: 'files', files: [...now.files, ...rows] }))
    },
    [held, setDraft],
  )
  /** A file that was hashed before, and is not at hand any more. */
  const addHashed = useCallback(
    (hashed: GivenFile): void =>
      setDraft((now) => ({
        ...now,
        way: 'files',
        hashType: EMPTY_DRAFT.hashType,
        files: [...now.files, rowOf(newIdempotencyKey(), hashed)],
      })),
    [setDraft],
  )
  const remove = useCallback(
    (key: string): void => {
      files.current.delete(key)
      setDraft((now) => ({ ...now, files: now.files.filter((file) => file.key !== key) }))
    },
    [setDraft],
  )
  const changeFile = useCallback(
    (key: string, part: Partial<DraftFile>): void =>
      setDraft((now) => ({
        ...now,
        files: now.files.map((file) => (file.key === key ? { ...file, ...part } : file)),
      })),
    [setDraft],
  )
  const setType = (hashType: HashType): void => {
    const again = draft.files.map((file) => ({
      ...file,
      hex: null,
      why: files.current.has(file.key) ? null : GONE,
    }))
    setDraft((now) => ({ ...now, hashType, files: again }))
  }
  const send = useCallback(
    (wanted: Draft): void => {
      const entries = entriesOf(wanted)
      const { key } = wanted.sent ?? { key: newIdempotencyKey() }
      // Kept before the request leaves, so that a reload goes on with the same key.
      setDraft({ ...wanted, sent: { key, outcomes: null } })
      ask(async (signal) => {
        const outcomes = await submitItems({ api, signal, wait: pause }, entries, key)
        setDraft((now) => ({ ...now, sent: { key, outcomes } }))
      })
    },
    [api, ask, setDraft],
  )
  useResume(draft, send)
  return {
    draft,
    /** The file of an entry, where it is at hand. */
    fileOf: (key: string): File | null => files.current.get(key) ?? null,
    /** What is to be said about the files that were given last, or null. */
    found,
    change,
    addFiles,
    addHashed,
    changeFile,
    remove,
    setType,
    submit: () => send(draft),
    /** Why the last attempt ended, or null. */
    failure: why,
    /** Ends this submission. The draft can be changed again, and is another one then. */
    giveUp: () => setDraft((now) => ({ ...now, sent: null })),
    forget,
  }
}

/** The id of an item that was the only one of its submission, told once. The draft is then forgotten. */
export const useOnlyItem = ({ draft, forget }: NewItems, onOnly: (id: string) => void): string | null => {
  const outcomes = draft.sent?.outcomes ?? []
  const [only] = outcomes
  const id = outcomes.length === 1 && only !== undefined && 'id' in only ? only.id : null
  useEffect(() => {
    if (id === null) return
    // After the effect that keeps the draft, which would otherwise keep it once more.
    queueMicrotask(() => {
      forget()
      onOnly(id)
    })
  }, [id, forget, onOnly])
  return id
}

type GivenFile = { readonly name: string; readonly size: number; readonly hex?: string | null }

const rowOf = (key: string, { name, size, hex = null }: GivenFile): DraftFile => ({
  key,
  name: nameFor(name),
  size,
  hex,
  why: null,
})

const foundWords = (given: readonly File[], room: number): string | null => {
  if (given.length === 0) return 'There was no file in what was dropped.'
  return given.length > room ? `At most ${count(MOST_FILES)} files at once. The others were left out.` : null
}

const GONE = 'It was dropped before this page was loaded. Drop it again to hash it anew.'

/** A submission that a reload interrupted goes on by itself: the person had decided. */
const useResume = (draft: Draft, send: (draft: Draft) => void): void => {
  const isResumed = useRef(false)
  useEffect(() => {
    if (isResumed.current) return
    isResumed.current = true
    if (draft.sent?.outcomes === null) send(draft)
  }, [draft, send])
}
