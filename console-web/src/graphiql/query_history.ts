// The last queries that were run and the text in progress, stored in this tab only.
import { keep, kept } from '../data/browser_storage.ts'
import { isJsonObject, numberAt, textAt } from '../data/json_object.ts'
import type { SharedQuery } from './shared_query.ts'

export type PastQuery = SharedQuery & {
  /** Local time of the last run. */
  readonly at: number
}

const MOST = 20
const HISTORY = 'pharos.graphiql.history'
const DRAFT = 'pharos.graphiql.draft'

/** Newest first. */
export const readHistory = (): readonly PastQuery[] => {
  const past = read(HISTORY)
  return Array.isArray(past) ? past.flatMap((one) => pastQueryOf(one) ?? []) : []
}

/** A query that is run again moves to the front and is not listed twice. */
export const remember = (past: readonly PastQuery[], ran: PastQuery): readonly PastQuery[] => {
  const others = past.filter(({ query, variables }) => query !== ran.query || variables !== ran.variables)
  const next = [ran, ...others].slice(0, MOST)
  write(HISTORY, next)
  return next
}

export const forgetHistory = (): readonly PastQuery[] => {
  write(HISTORY, [])
  return []
}

export const readDraft = (): SharedQuery | null => {
  const draft = read(DRAFT)
  const query = textAt(draft, 'query')
  return query === null ? null : { query, variables: textAt(draft, 'variables') ?? '' }
}

export const keepDraft = (draft: SharedQuery): void => write(DRAFT, draft)

const pastQueryOf = (value: unknown): PastQuery | null => {
  const query = textAt(value, 'query')
  if (!isJsonObject(value) || query === null) return null
  return { query, variables: textAt(value, 'variables') ?? '', at: numberAt(value, 'at') ?? 0 }
}

const read = (name: string): unknown => {
  try {
    return JSON.parse(kept('tab', name) ?? 'null')
  } catch {
    return null
  }
}

const write = (name: string, value: unknown): void => keep('tab', name, JSON.stringify(value))
