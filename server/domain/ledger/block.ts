// A block of the ledger: a Merkle root over its subjects, linked to the block before it, and signed.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { instant, text } from '../../store/columns.ts'
import { RELATIONS } from '../../store/database.ts'
import { type PlainRow, rowReader } from '../../store/row_reader.ts'
import { rows } from '../../store/run.ts'
import { statement } from '../../store/statement.ts'

export const BLOCK_STATES = ['finalized', 'committed'] as const

/** Genesis has height 0 and names itself as its predecessor. `metadata` is canonical JSON text. */
export type Block = PlainRow<typeof RELATIONS.blocks>

export const blockOf = rowReader(RELATIONS.blocks)

/**
 * The time when each of these blocks was first committed to a public chain. Blocks without a commitment are left out.
 * A proof of any item in the block is possible from that time on, so items do not store the time themselves, which
 * would cost one write per item.
 */
export async function blocksCommittedAt(
  { em }: { em: EntityManager },
  ids: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (ids.length === 0) return new Map()
  const found = await rows(em, COMMITTED_AT({ ids: [...new Set(ids)] }))
  return new Map(found.map(({ id, committed_at }) => [id, committed_at]))
}

const COMMITTED_AT = statement(
  { id: text, committed_at: instant },
  ({ ids }: { ids: readonly string[] }) => sql`
  SELECT id, committed_at FROM blocks WHERE id = ANY(${ids}::text[]) AND committed_at IS NOT NULL`,
)
