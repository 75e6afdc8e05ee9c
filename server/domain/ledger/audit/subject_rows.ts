// Items, observations and tombstones as they are stored, for those who check them.
import type { EntityManager } from '@mikro-orm/postgresql'
import { rows } from '../../../store/rows.ts'
import { exactMs } from './exact_ms.ts'

interface SignedRow {
  readonly id: string
  /** Claims or entropy. */
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

/** `alive`: the item is there as well. */
export interface TombstoneRow {
  readonly kind: 'tombstone'
  readonly id: string
  readonly subject_hash: Buffer
  readonly alive: boolean
}

export type SubjectRow = ItemRow | ObservationRow | TombstoneRow

export type LeafRow = SubjectRow & { readonly block_id: string; readonly leaf_index: number }

/** `made_later`: with a key that a block after the audited head introduced. */
export type WaitingRow = SubjectRow & { readonly made_later: boolean }

/** Rows per page; with claims of 64 KiB each a page is 16 MiB. */
const SUBJECTS_PER_PAGE = 256

export interface LeafPlace {
  readonly block_id: string
  readonly leaf_index: number
}

const BEFORE_ALL: LeafPlace = { block_id: '', leaf_index: -2_147_483_648 }

/**
 * The next leaves after a place, in order of block and leaf index. One statement is one snapshot, and a place never
 * changes: an item that is deleted between two pages leaves its tombstone in the same place, so no leaf is read twice
 * or missed. Rows that share a place (which no block may have) come in one page. Indexes: items_leaf,
 * entropy_observations_leaf, item_tombstones_leaf.
 */
export const leavesAfter = (
  { em }: { em: EntityManager },
  { block_id, leaf_index }: LeafPlace = BEFORE_ALL,
  lastBlockId: string,
): Promise<LeafRow[]> =>
  rows(
    em,
    `SELECT * FROM (${KINDS.map((select) => `(${select(', block_id, leaf_index')} ${NEXT_LEAVES})`).join(' UNION ALL ')}) AS leaf
      ORDER BY block_id, leaf_index FETCH FIRST ${SUBJECTS_PER_PAGE} ROWS WITH TIES`,
    [block_id, leaf_index, lastBlockId],
  )

const NEXT_LEAVES = `
  WHERE (block_id, leaf_index) > ($1, $2) AND block_id <= $3
  ORDER BY block_id, leaf_index FETCH FIRST ${SUBJECTS_PER_PAGE} ROWS WITH TIES`

/**
 * The next subjects that wait for a block, in order of id. What gets its block or is deleted between two pages is a
 * leaf of a later block, or gone with a tombstone. Indexes: items_waiting, entropy_observations_waiting,
 * item_tombstones_leaf.
 */
export const waitingAfter = (
  { em }: { em: EntityManager },
  id: string,
  headHeight: number,
): Promise<WaitingRow[]> =>
  rows(
    em,
    `SELECT waiting.*, coalesce(k.introduced_at_height > $2, false) AS made_later
       FROM (${KINDS.map((select) => `(${select('')} ${NEXT_WAITING})`).join(' UNION ALL ')}) AS waiting
       LEFT JOIN signing_keys k ON k.key_id = waiting.signing_key_id
      ORDER BY id LIMIT ${SUBJECTS_PER_PAGE}`,
    [id, headHeight],
  )

const NEXT_WAITING = `WHERE block_id IS NULL AND id > $1 ORDER BY id LIMIT ${SUBJECTS_PER_PAGE}`

/** The three have the same columns in the same order, so that one statement can read them all. */
const KINDS: readonly ((more: string) => string)[] = [
  (more) => `
    SELECT 'item' AS kind, id, item_hash AS subject_hash, claims AS content, claims_hash AS content_hash, metadata,
           metadata_hash, signing_key_id, signature, state, ${exactMs('inserted_at')} AS inserted_ms, hash,
           display_name, display_description, ${exactMs('committed_at')} AS committed_ms,
           redacted_at IS NOT NULL AS redacted, NULL AS source, NULL::boolean AS alive ${more}
      FROM items`,
  (more) => `
    SELECT 'observation', id, observation_hash, entropy, entropy_hash, metadata,
           metadata_hash, signing_key_id, signature, state, ${exactMs('inserted_at')}, NULL,
           NULL, NULL, NULL, NULL, source, NULL ${more}
      FROM entropy_observations`,
  (more) => `
    SELECT 'tombstone', id, item_hash, NULL, NULL, NULL,
           NULL, NULL, NULL, NULL, NULL, NULL,
           NULL, NULL, NULL, NULL, NULL, EXISTS (SELECT 1 FROM items WHERE items.id = item_tombstones.id) ${more}
      FROM item_tombstones`,
]
