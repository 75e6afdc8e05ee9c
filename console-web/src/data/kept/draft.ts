// What a person has typed and not sent yet. Kept in this tab while the person is on another page, until it is
// sent, given up, or somebody signs out or in.
import { useCallback, useEffect, useState } from 'react'
import { drop, dropAll, keep, keptJson } from './browser_storage.ts'

const PREFIX = 'pharos.draft.'
/** A longer draft is not kept. */
const LONGEST = 262_144

type DraftPorts<T> = {
  /** Reads what was kept. Null when it has another shape. Must be the same function on every render. */
  readonly read: (kept: unknown) => T | null
  /** What is kept of the draft, without secrets. Must be the same function on every render. */
  readonly kept: (draft: T) => object
}

/** `name` is one word for each form, such as `item`. `empty` must be the same value on every render. */
export const useDraft = <T>(name: string, empty: T, { read, kept: keptOf }: DraftPorts<T>) => {
  const [draft, setDraft] = useState<T>(() => readDraft(name, read) ?? empty)
  useEffect(() => {
    if (Object.is(draft, empty)) dropDraft(name)
    else keepDraft(name, keptOf(draft))
  }, [draft, empty, name, keptOf])
  /** Starts again with an empty draft: it was sent, or given up. */
  const forget = useCallback((): void => {
    // Also here, because the page may be left before the effect runs.
    dropDraft(name)
    setDraft(empty)
  }, [name, empty])
  return { draft, setDraft, forget }
}

export const readDraft = <T>(name: string, read: (kept: unknown) => T | null): T | null =>
  keptJson('tab', PREFIX + name, read)

export const keepDraft = (name: string, draft: object): void => {
  const text = JSON.stringify(draft)
  if (text.length <= LONGEST) keep('tab', PREFIX + name, text)
  else dropDraft(name)
}

export const dropDraft = (name: string): void => drop('tab', PREFIX + name)

/** What one person has typed is not shown to the next. */
export const dropDrafts = (): void => dropAll('tab', PREFIX)
