// Checks the rows that are in no audited block: subjects that wait for a block, and rows whose block does not exist.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { KeyChain } from '../../../../shared/audit/chain_audit.ts'
import type { Disagreement } from '../../../../shared/audit/disagreement.ts'
import { bool, bytes, nullable, text } from '../../../store/columns.ts'
import { pages, row, rows, type Sql, statement } from '../../../store/statement.ts'
import { auditSubject, findWitnesses, type MetadataWitnesses, metadataOf } from './audit_subject.ts'
import type { BlockRow } from './block_rows.ts'
import type { AuditPace } from './pace.ts'
import { type WaitingRow, waitingItemPages, waitingObservationPages } from './subject_rows.ts'

export interface Collaborators {
  readonly em: EntityManager
  readonly keys: KeyChain
  readonly pace: AuditPace
}

/**
 * Checks the subjects without a block. It passes by those whose witness block or key is newer than the audited head:
 * the next audit checks them.
 */
export async function* auditWaiting(tools: Collaborators, head: BlockRow): AsyncGenerator<Disagreement> {
  const { em } = tools
  const headHeight = head.height
  for (let after = ''; ; ) {
    const upTo = await endOfSpan(em, 'items', after)
    if (upTo === null) break
    yield* eachWaiting(tools, head, waitingItemPages(em, { after, upTo, headHeight }))
    after = upTo
  }
  yield* eachWaiting(tools, head, waitingObservationPages(em, headHeight))
}

async function* eachWaiting(
  { em, keys, pace }: Collaborators,
  head: BlockRow,
  waiting: AsyncIterable<readonly WaitingRow[]>,
): AsyncGenerator<Disagreement> {
  for await (const page of waiting) {
    const witnesses = await findWitnesses(em, metadataOf(page))
    for (const subject of page) {
      const place = { height: null, subject: subject.id }
      if (!subject.waits) yield { ...place, field: 'moment', expected: 'a leaf, or a moment that waits' }
      if (madeLater(subject, witnesses, head)) continue
      yield* auditSubject(subject, { block: undefined, keys, witnesses })
      await pace.checked(`${subject.kind}s`)
    }
  }
}

function madeLater(subject: WaitingRow, witnesses: MetadataWitnesses, head: BlockRow): boolean {
  if (subject.made_later) return true
  if (subject.kind !== 'item') return false
  const seen = witnesses.block(witnesses.of(subject.metadata)?.get('block') ?? '')
  return seen !== undefined && seen.height > head.height
}

/** Rows that one statement looks at, so that none of them runs long on a table of any size. */
const SPAN = 20_000

/** The last id of the next rows after an id. Null after the last row. */
async function endOfSpan(em: EntityManager, table: keyof typeof END_OF_SPAN, after: string) {
  const { end } = await row(em, END_OF_SPAN[table]({ after }))
  return end
}

const endOf = (table: 'items' | 'block_leaves', id: string) =>
  statement(
    { end: nullable(text) },
    ({ after }: { after: string }) => sql`
    SELECT max(id) AS "end" FROM (
      SELECT ${sql.ref(id)} AS id FROM ${sql.table(table)} WHERE ${sql.ref(id)} > ${after}
       ORDER BY ${sql.ref(id)} LIMIT ${sql.lit(SPAN)}) AS span`,
  )

const END_OF_SPAN = { items: endOf('items', 'id'), block_leaves: endOf('block_leaves', 'subject_id') }

/** Finds leaves of items that are outside of the block of their height, so that no check of a block reads them. */
export async function* auditStrayLeaves(em: EntityManager): AsyncGenerator<Disagreement> {
  for (let after = ''; ; ) {
    const upTo = await endOfSpan(em, 'block_leaves', after)
    if (upTo === null) return
    for (const leaf of await rows(em, STRAY_LEAVES({ after, upTo })))
      yield { ...leaf, height: null, field: 'height', expected: 'a block that holds it' }
    after = upTo
  }
}

const STRAY_LEAVES = statement(
  { subject: text, found: text },
  ({ after, upTo }: { after: string; upTo: string }) => sql`
  SELECT l.subject_id AS subject, l.height::text AS found FROM block_leaves l LEFT JOIN blocks b ON b.height = l.height
   WHERE l.subject_id > ${after} AND l.subject_id <= ${upTo}
     AND (l.subject_id BETWEEN b.first_item_id AND b.last_item_id) IS NOT TRUE
   ORDER BY l.subject_id LIMIT 100`,
)

/** Checks the tombstones that are no leaves, and that no deleted item is there all the same. */
export async function* auditTombstones({ em, keys, pace }: Collaborators): AsyncGenerator<Disagreement> {
  const witnesses = await findWitnesses(em, [])
  const beyond = (last: { readonly id: string } | undefined) => TOMBSTONES({ after: last?.id ?? '' })
  for await (const page of pages(em, beyond))
    for (const { id, item_hash, alive, placed } of page) {
      if (alive)
        yield { height: null, subject: id, field: 'id', expected: 'no item with the id of a deleted one' }
      if (placed) continue
      const tombstone = { kind: 'tombstone', id, subject_hash: item_hash } as const
      yield* auditSubject(tombstone, { block: undefined, keys, witnesses })
      await pace.checked('tombstones')
    }
}

const TOMBSTONES = statement(
  { id: text, item_hash: bytes, alive: bool, placed: bool },
  ({ after }: { after: string }) => sql`
  SELECT id, item_hash, EXISTS (SELECT FROM items i WHERE i.id = t.id) AS alive,
         EXISTS (SELECT FROM block_leaves l WHERE l.subject_id = t.id) AS placed
    FROM item_tombstones t WHERE id > ${after} ORDER BY id FETCH FIRST 1000 ROWS WITH TIES`,
)

/**
 * Finds rows that name a block which does not exist. Each table is read in one statement, and so in one snapshot,
 * because a new block may be made during the audit. Tiles of a missing block before the head are found while the
 * blocks are read in order.
 */
export async function* auditDangling(em: EntityManager, head: BlockRow): AsyncGenerator<Disagreement> {
  for (const dangling of DANGLING) {
    for (const row of await rows(em, dangling({ head: head.id }))) yield { ...row, ...DANGLES }
  }
}

/** What is wrong with a row that names a block which does not exist. */
export const DANGLES = { height: null, field: 'block_id', expected: 'a block that exists' } as const

const dangling = (
  table: 'entropy_observations' | 'block_tiles',
  subject: Sql,
  where: (head: string) => Sql,
) =>
  statement(
    { subject: text, found: text },
    ({ head }: { head: string }) => sql`
    SELECT ${subject} AS subject, block_id AS found FROM ${sql.table(table)} WHERE ${where(head)}
       AND NOT EXISTS (SELECT 1 FROM blocks WHERE blocks.id = ${sql.ref(`${table}.block_id`)}) LIMIT 100`,
  )

const DANGLING = [
  dangling('entropy_observations', sql`id`, () => sql`block_id IS NOT NULL`),
  dangling('block_tiles', sql`format('tile %s/%s', level, tile)`, (head) => sql`block_id > ${head}`),
]
