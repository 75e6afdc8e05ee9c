// An item: a recorded claim about data, with its hashes, its signature and its place in the chain.
import type { EntityManager } from '@mikro-orm/postgresql'
import { RELATIONS } from '../../store/database.ts'
import { legibleRow, type PlainRow, rowReader } from '../../store/row_reader.ts'
import { db } from '../../store/run.ts'

export const ITEM_STATES = ['created', 'committed', 'redacted'] as const

export const VISIBILITIES = ['private', 'team', 'public'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/**
 * An item as clients see it. `claims` and `metadata` are canonical JSON text. `claims`, `hash` and the display fields
 * are null after a redaction and from `expires_at` on, even if the row has not been erased yet.
 */
export type Item = PlainRow<typeof RELATIONS.shown_items>

const itemOf = rowReader(RELATIONS.shown_items)

/** For lists, see `legibleRow`. */
export const shownItemOf = legibleRow(RELATIONS.shown_items)

/**
 * Returns any item by its id, undefined when there is none. It does not check permissions; the caller must do that.
 */
export async function itemById({ em }: { em: EntityManager }, id: string): Promise<Item | undefined> {
  const found = await db(em).selectFrom('shown_items').selectAll().where('id', '=', id).executeTakeFirst()
  return found === undefined ? undefined : itemOf(found)
}
