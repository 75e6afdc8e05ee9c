// Checks the rows that are in no audited block: subjects that wait for a block, and rows whose block does not exist.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { text } from '../../../store/columns.ts'
import { rows } from '../../../store/run.ts'
import { type Sql, statement } from '../../../store/statement.ts'
import { auditSubject, COUNTED_AS, metadataOf } from './audit_subject.ts'
import type { BlockRow } from './block_rows.ts'
import type { Disagreement } from './disagreement.ts'
import type { KeyChain } from './key_chain.ts'
import type { Pace } from './pace.ts'
import { type WaitingRow, waitingAfter } from './subject_rows.ts'
import { findWitnesses, type Witnesses } from './witnesses.ts'

/** Skips subjects whose witness block or key is newer than the audited head. The next audit checks them. */
export async function* auditWaiting(
  { em }: { em: EntityManager },
  head: BlockRow,
  { keys, pace }: { keys: KeyChain; pace: Pace },
): AsyncGenerator<Disagreement> {
  for (let after = ''; ; ) {
    const page = await waitingAfter({ em }, after, head.height)
    const witnesses = await findWitnesses({ em }, metadataOf(page))
    for (const row of page) {
      if (madeLater(row, witnesses, head)) continue
      yield* auditSubject(row, { block: undefined, keys, witnesses })
      await pace.checked(COUNTED_AS[row.kind])
    }
    const last = page.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

function madeLater(row: WaitingRow, witnesses: Witnesses, head: BlockRow): boolean {
  if (row.made_later) return true
  if (row.kind !== 'item') return false
  const seen = witnesses.block(witnesses.of(row.metadata)?.get('block') ?? '')
  return seen !== undefined && seen.height > head.height
}

/**
 * Finds rows that name a block after the audited head which does not exist. Each table is read in one statement, and
 * so in one snapshot, because a new block may be made during the audit. Rows that name a missing block before the
 * head are found while the blocks are read in order.
 */
export async function* auditDangling(
  { em }: { em: EntityManager },
  head: BlockRow,
): AsyncGenerator<Disagreement> {
  for (const dangling of DANGLING) {
    const found = await rows(em, dangling({ head: head.id }))
    for (const row of found)
      yield {
        height: null,
        subject: row.subject,
        field: 'block_id',
        expected: 'a block that exists',
        found: row.block_id,
      }
  }
}

const dangling = (
  table: 'items' | 'item_tombstones' | 'entropy_observations' | 'block_tiles',
  subject: Sql,
) =>
  statement(
    { subject: text, block_id: text },
    ({ head }: { head: string }) => sql`
    SELECT ${subject} AS subject, block_id FROM ${sql.table(table)} WHERE block_id > ${head}
       AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocks.id = ${sql.ref(`${table}.block_id`)}) LIMIT 100`,
  )

const DANGLING = [
  dangling('items', sql`id`),
  dangling('item_tombstones', sql`id`),
  dangling('entropy_observations', sql`id`),
  dangling('block_tiles', sql`format('tile %s/%s', level, tile)`),
]
