// The draft of new items while its page is open: its files, their hashing, and its submission.

import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { HashType } from '../../../shared/proof/claims.ts'
import { MOST_FILES } from '../data/given_files.ts'
import { useDraft } from '../data/kept/draft.ts'
import { pause } from '../data/retry_schedule.ts'
import { useAsked } from '../data/use_asked.ts'
import { count } from '../ui/format.ts'
import { type Draft, type DraftFile, EMPTY_DRAFT, entriesOf, keptOf, nameFor, readKept } from './draft.ts'
import { newIdempotencyKey, submitFailureWords, submitItems } from './submit_items.ts'

export type NewItems = ReturnType<typeof useNewItems>

/** @param onOnly gets the item that was the only one of its submission. The draft is then forgotten. */
export const useNewItems = (onOnly: (id: string) => void) => {
  const kept = useDraft('items', EMPTY_DRAFT, { read: readKept, kept: keptOf })
  const { draft, setDraft } = kept
  const [found, setFound] = useState<string | null>(null)
  const { why, ask } = useAsked(submitFailureWords)
  const files = useRef(new Map<string, File>())
  const forget = (): void => {
    files.current.clear()
    setFound(null)
    kept.forget()
  }
  const change = (part: Partial<Draft>): void =>
    setDraft((now) => (now.sent === null ? { ...now, ...part } : now))
  const addFiles = (given: readonly File[]): void => {
    const room = MOST_FILES - draft.files.length
    setFound(foundWords(given, room))
    const rows = given.slice(0, room).map((file) => {
      const row = rowOf(file)
      files.current.set(row.key, file)
      return row
    })
    setDraft((now) => ({ ...now, way: 'files', files: [...now.files, ...rows] }))
  }
  /** A file that was hashed before, and is not at hand any more. */
  const addHashed = (hashed: GivenFile): void =>
    setDraft((now) => ({
      ...now,
      way: 'files',
      hashType: EMPTY_DRAFT.hashType,
      files: [...now.files, rowOf(hashed)],
    }))
  // Each row of many is drawn anew only when it changes.
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
  const submit = (): void => {
    const entries = entriesOf(draft)
    const key = draft.sent?.key ?? newIdempotencyKey()
    // Kept before the request leaves, so that a reload goes on with the same key.
    setDraft({ ...draft, sent: { key, outcomes: null } })
    ask(async ({ api, signal }) => {
      const outcomes = await submitItems({ api, signal, wait: pause }, entries, key)
      const [first] = outcomes
      if (outcomes.length === 1 && first !== undefined && 'id' in first) {
        forget()
        onOnly(first.id)
      } else setDraft((now) => ({ ...now, sent: { key, outcomes } }))
    })
  }
  /** A submission that a reload interrupted goes on by itself: the person had decided. */
  const resume = useEffectEvent((): void => {
    if (draft.sent?.outcomes === null) submit()
  })
  useEffect(() => resume(), [])
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
    submit,
    /** Why the last attempt ended, or null. */
    failure: why,
    /** Ends this submission. The draft can be changed again, and is another one then. */
    giveUp: () => setDraft((now) => ({ ...now, sent: null })),
    forget,
  }
}

type GivenFile = { readonly name: string; readonly size: number; readonly hex?: string | null }

const rowOf = ({ name, size, hex = null }: GivenFile): DraftFile => ({
  key: newIdempotencyKey(),
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
