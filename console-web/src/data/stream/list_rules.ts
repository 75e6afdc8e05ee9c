// What a live list is made of, what is known of it, and what an event may say of its rows.
import type { JsonValue } from '../../../../shared/proof/json_value.ts'
import type { MergeRules, Row } from '../newest_first.ts'
import type { Page } from '../resource.ts'
import type { LiveStream } from './live_events.ts'
import type { OlderPages } from './older_pages.ts'

/** What an event says. */
export type Heard<T extends Row> = {
  /** The row that it is about, whole. */
  readonly row?: T
  /** What becomes of the rows that are there. */
  readonly change?: (rows: readonly T[]) => readonly T[]
  /** What has to be read for it: all that the list has, or only what is newer. */
  readonly read?: 'all' | 'newer'
}

export type ListRules<T extends Row> = Pick<MergeRules<T>, 'fits' | 'isLater'> & {
  /** The requests of so many of the newest rows. Of several, only the first page of each is read. */
  readonly paths: (limit: number) => readonly string[]
  /** @throws ApiFailure */
  readonly page: (answer: JsonValue) => Page<T>
  /** The most rows that the page keeps. */
  readonly most: number
  /** What stands in place of a row that is not found any more. Without it, nothing does. */
  readonly missed?: (row: T) => T
  /** Only a person has what is newer read. Till then it is counted. */
  readonly isCostly?: boolean
  /** A stream that opens soon after the first page was asked for is no reason to ask again: the rest is found otherwise. */
  readonly isReadOnce?: boolean
  /** The list is live with the first of them. None for rows of which no stream tells. */
  readonly streams: readonly LiveStream[]
  /** @throws ApiFailure for what cannot be read. Then all is read again. */
  readonly heard: (event: string, body: unknown, rows: readonly T[]) => Heard<T>
}

export type ListState<T extends Row> = {
  /** Strictly descending by id, and no row of the server is missing between two of them. */
  readonly rows: readonly T[]
  readonly first:
    | { readonly kind: 'loading' | 'read' }
    | { readonly kind: 'failed'; readonly why: string; readonly code: string | null }
  readonly older: OlderPages
  /** The newest id that is shown while newer ones are held back. Null when nothing is held back. */
  readonly heldAt: string | null
  /** The id of the row that came last by the stream. */
  readonly arrived: string | null
  /** True while the stream is connected, so that events come at once. */
  readonly live: boolean
  /** New rows that a costly list has not read. */
  readonly unread: number
  /** More came than the list takes without moving what somebody reads. They are read when it is let go. */
  readonly isBehind: boolean
}

/** How many rows are held back. All of them when none is as old as the newest that is shown. */
export const heldBack = ({ rows, heldAt }: Pick<ListState<Row>, 'rows' | 'heldAt'>): number => {
  const shown = heldAt === null ? 0 : rows.findIndex(({ id }) => id <= heldAt)
  return shown === -1 ? rows.length : shown
}
