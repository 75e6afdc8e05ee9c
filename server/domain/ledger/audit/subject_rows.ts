// Reads stored items, observations and tombstones for the audit.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool, bytes, float8, int4, nullable, oneOf, type RowOf, text } from '../../../store/columns.ts'
import { rows } from '../../../store/run.ts'
import { type Sql, statement } from '../../../store/statement.ts'
import { there } from '../../../store/there.ts'
import { exactMs } from './exact_ms.ts'

interface SignedRow {
  readonly id: string
  /** The claims of an item or the entropy of an observation. */
  readonly content: string | null
  readonly content_hash: Buffer
  readonly metadata: string
  readonly metadata_hash: Buffer
  readonly subject_hash: Buffer
  readonly signing_key_id: Buffer
  readonly signature: Buffer
  readonly state: string
  readonly inserted_ms: number
}

export interface ItemRow extends SignedRow {
  readonly kind: 'item'
  readonly hash: string | null
  readonly display_name: string | null
  readonly display_description: string | null
  readonly committed_ms: number | null
  readonly redacted: boolean
}

export interface ObservationRow extends SignedRow {
  readonly kind: 'observation'
  readonly source: string
}

/** `alive` is true when the item of this id also exists, which is a mistake. */
export interface TombstoneRow {
  readonly kind: 'tombstone'
  readonly id: string
  readonly subject_hash: Buffer
  readonly alive: boolean
}

export type SubjectRow = ItemRow | ObservationRow | TombstoneRow

export type LeafRow = SubjectRow & { readonly block_id: string; readonly leaf_index: number }

/** `made_later` is true when the subject is signed with a key that a block after the audited head introduced. */
export type WaitingRow = SubjectRow & { readonly made_later: boolean }

/** Rows per page. With claims of 64 KiB each, a page has 16 MiB. */
const SUBJECTS_PER_PAGE = 256

export interface LeafPlace {
  readonly block_id: string
  readonly leaf_index: number
}

const BEFORE_ALL: LeafPlace = { block_id: '', leaf_index: -2_147_483_648 }

/**
 * The next leaves after a place, ordered by block and leaf index. No leaf is read twice or missed: one statement is
 * one snapshot, and a place never changes, because an item that is deleted between two pages leaves its tombstone in
 * the same place. Rows that share a place, which is a mistake, come in the same page. Indexes: items_leaf,
 * entropy_observations_leaf, item_tombstones_leaf.
 */
export const leavesAfter = (
  { em }: { em: EntityManager },
  { block_id, leaf_index }: LeafPlace = BEFORE_ALL,
  lastBlockId: string,
): Promise<readonly LeafRow[]> =>
  rows(em, NEXT_LEAVES({ block_id, leaf_index, lastBlockId })).then((found) =>
    found.map((row) => ({ ...subjectOf(row), block_id: row.block_id, leaf_index: row.leaf_index })),
  )

/**
 * The next subjects that wait for a block, ordered by id. A subject that gets its block or is deleted between two
 * pages is not missed, because it is a leaf of a later block or has a tombstone. Indexes: items_waiting,
 * entropy_observations_waiting, item_tombstones_leaf.
 */
export const waitingAfter = (
  { em }: { em: EntityManager },
  id: string,
  headHeight: number,
): Promise<readonly WaitingRow[]> =>
  rows(em, NEXT_WAITING({ id, headHeight })).then((found) =>
    found.map((row) => ({ ...subjectOf(row), made_later: row.made_later })),
  )

/** The three selects have the same columns in the same order, so that one statement can read all of them. */
const KINDS: readonly ((more: Sql) => Sql)[] = [
  (more) => sql`
    SELECT 'item' AS kind, id, item_hash AS subject_hash, claims AS content, claims_hash AS content_hash, metadata,
           metadata_hash, signing_key_id, signature, state, ${exactMs('inserted_at')} AS inserted_ms, hash,
           display_name, display_description, ${exactMs('committed_at')} AS committed_ms,
           redacted_at IS NOT NULL AS redacted, NULL AS source, NULL::boolean AS alive ${more}
      FROM items`,
  (more) => sql`
    SELECT 'observation', id, observation_hash, entropy, entropy_hash, metadata,
           metadata_hash, signing_key_id, signature, state, ${exactMs('inserted_at')}, NULL,
           NULL, NULL, NULL, NULL, source, NULL ${more}
      FROM entropy_observations`,
  (more) => sql`
    SELECT 'tombstone', id, item_hash, NULL, NULL, NULL,
           NULL, NULL, NULL, NULL, NULL, NULL,
           NULL, NULL, NULL, NULL, NULL, EXISTS (SELECT 1 FROM items WHERE items.id = item_tombstones.id) ${more}
      FROM item_tombstones`,
]

/** One statement that reads all kinds. Each branch ends in `tail`, so that each branch stops early. */
const allKinds = (more: Sql, tail: Sql): Sql =>
  sql.join(
    KINDS.map((select) => sql`(${select(more)} ${tail})`),
    sql` UNION ALL `,
  )

const SUBJECT_ROW = {
  kind: oneOf('item', 'observation', 'tombstone'),
  id: text,
  subject_hash: bytes,
  content: nullable(text),
  content_hash: nullable(bytes),
  metadata: nullable(text),
  metadata_hash: nullable(bytes),
  signing_key_id: nullable(bytes),
  signature: nullable(bytes),
  state: nullable(text),
  inserted_ms: nullable(float8),
  hash: nullable(text),
  display_name: nullable(text),
  display_description: nullable(text),
  committed_ms: nullable(float8),
  redacted: nullable(bool),
  source: nullable(text),
  alive: nullable(bool),
}

const PAGE = sql.lit(SUBJECTS_PER_PAGE)

const NEXT_LEAVES = statement(
  { ...SUBJECT_ROW, block_id: text, leaf_index: int4 },
  ({ block_id, leaf_index, lastBlockId }: LeafPlace & { lastBlockId: string }) => sql`
  SELECT * FROM (${allKinds(
    sql`, block_id, leaf_index`,
    sql`WHERE (block_id, leaf_index) > (${block_id}, ${leaf_index}) AND block_id <= ${lastBlockId}
        ORDER BY block_id, leaf_index FETCH FIRST ${PAGE} ROWS WITH TIES`,
  )}) AS leaf
   ORDER BY block_id, leaf_index FETCH FIRST ${PAGE} ROWS WITH TIES`,
)

const NEXT_WAITING = statement(
  { ...SUBJECT_ROW, made_later: bool },
  ({ id, headHeight }: { id: string; headHeight: number }) => sql`
  SELECT waiting.*, coalesce(k.introduced_at_height > ${headHeight}, false) AS made_later
    FROM (${allKinds(sql``, sql`WHERE block_id IS NULL AND id > ${id} ORDER BY id LIMIT ${PAGE}`)}) AS waiting
    LEFT JOIN signing_keys k ON k.key_id = waiting.signing_key_id
   ORDER BY id LIMIT ${PAGE}`,
)

/** The columns that a row of this kind has. */
function subjectOf(row: RowOf<typeof SUBJECT_ROW>): SubjectRow {
  const { id, subject_hash } = row
  if (row.kind === 'tombstone') return { kind: 'tombstone', id, subject_hash, alive: there(row.alive) }
  const signed = {
    id,
    content: row.content,
    content_hash: there(row.content_hash),
    metadata: there(row.metadata),
    metadata_hash: there(row.metadata_hash),
    subject_hash,
    signing_key_id: there(row.signing_key_id),
    signature: there(row.signature),
    state: there(row.state),
    inserted_ms: there(row.inserted_ms),
  }
  if (row.kind === 'observation') return { ...signed, kind: 'observation', source: there(row.source) }
  return {
    ...signed,
    kind: 'item',
    hash: row.hash,
    display_name: row.display_name,
    display_description: row.display_description,
    committed_ms: row.committed_ms,
    redacted: there(row.redacted),
  }
}
