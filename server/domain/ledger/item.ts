// A claim about data, recorded for good: what was hashed, what it was hashed with, and where it landed.
import type { EntityManager } from '@mikro-orm/postgresql'
import { RELATIONS } from '../../store/database.ts'
import { type PlainRow, rowReader } from '../../store/row_reader.ts'
import { db } from '../../store/run.ts'

export const ITEM_STATES = ['created', 'committed', 'redacted'] as const
export type ItemState = (typeof ITEM_STATES)[number]

export const VISIBILITIES = ['private', 'team', 'public'] as const
export type Visibility = (typeof VISIBILITIES)[number]

/**
 * As it is shown. `claims` and `metadata` are canonical JSON text; `claims`, `hash` and the display fields are null once
 * it is redacted, and from `expires_at` on, whether or not they have been erased yet.
 */
export type Item = PlainRow<typeof RELATIONS.shown_items>

export const itemOf = rowReader(RELATIONS.shown_items)

/** Any item by its id; whoever asks has to know that it may be seen. */
export async function itemById({ em }: { em: EntityManager }, id: string): Promise<Item | undefined> {
  const found = await db(em).selectFrom('shown_items').selectAll().where('id', '=', id).executeTakeFirst()
  return found === undefined ? undefined : itemOf(found)
}
