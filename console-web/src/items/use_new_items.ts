// The draft of new items while its page is open: its files, their hashing, and its submission.
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
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
  const forget = (): void => {
    setFound(null)
    kept.forget()
  }
  const change = (part: Partial<Draft>): void =>
    setDraft((now) => (now.sent === null ? { ...now, ...part } : now))
  const add = (rows: readonly DraftFile[], more: Partial<Draft> = {}): void =>
    setDraft((now) => ({ ...now, ...more, way: 'files', files: [...(more.files ?? now.files), ...rows] }))
  const addFiles = (given: readonly File[], more: Partial<Draft> = {}): void => {
    const room = MOST_FILES - (more.files ?? draft.files).length
    setFound(foundWords(given, room))
    const rows = given.slice(0, room).map((file) => rowOf(file, { source: file }))
    add(rows, more)
  }
  // Each row of many is drawn anew only when it changes.
  const changeFile = useCallback(
    (key: string, part: Partial<DraftFile> | null): void =>
      setDraft((now) => ({
        ...now,
        files: now.files.flatMap((file) => {
          if (file.key !== key) return [file]
          return part === null ? [] : [{ ...file, ...part }]
        }),
      })),
    [setDraft],
  )
  const setType = (hashType: HashType): void =>
    setDraft((now) => ({
      ...now,
      hashType,
      files: now.files.map((file) => ({ ...file, hex: null, why: file.source === null ? GONE : null })),
    }))
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
    /** What is to be said about the files that were given last, or null. */
    found,
    change,
    addFiles,
    /** A file that was hashed before, and is not at hand any more. */
    addHashed: ({ hex, ...file }: Named & { readonly hex: string }): void =>
      add([rowOf(file, { hex })], { hashType: EMPTY_DRAFT.hashType }),
    /** Null takes it out. */
    changeFile,
    setType,
    submit,
    /** Why the last attempt ended, or null. */
    failure: why,
    /** Ends this submission. The draft can be changed again, and is another one then. */
    giveUp: () => setDraft((now) => ({ ...now, sent: null })),
    forget,
  }
}

type Named = Pick<File, 'name' | 'size'>

const rowOf = ({ name, size }: Named, known: Partial<DraftFile>): DraftFile => ({
  key: newIdempotencyKey(),
  name: nameFor(name),
  size,
  hex: null,
  why: null,
  source: null,
  ...known,
})

const foundWords = (given: readonly File[], room: number): string | null => {
  if (given.length === 0) return 'There was no file in what was dropped.'
  return given.length > room ? `At most ${count(MOST_FILES)} files at once. The others were left out.` : null
}

const GONE = 'It was dropped before this page was loaded. Drop it again to hash it anew.'
