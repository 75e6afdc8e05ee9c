// Reads stored items, observations and tombstones for the audit.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { bool, bytes, float8, int4, nullable, oneOf, type RowOf, text } from '../../../store/columns.ts'
import { pages, presentColumn, type Sql, type Statement, statement } from '../../../store/statement.ts'
import { type BlockRow, exactMs } from './block_rows.ts'

/** A row of every kind has these columns but the tombstone's, and each kind has its own beside them. */
const SIGNED = [
  'content_hash',
  'metadata',
  'metadata_hash',
  'subject_hash',
  'signing_key_id',
  'signature',
  'inserted_ms',
] as const

type Filled<Name extends keyof Found> = { readonly [Of in Name]: NonNullable<Found[Of]> }

/** `content` are the claims of an item, or the entropy of an observation. */
type SignedRow = Pick<Found, 'id' | 'content'> & Filled<(typeof SIGNED)[number]>

type ItemRow = { readonly kind: 'item' } & SignedRow &
  Pick<Found, 'hash' | 'display_name' | 'display_description'> &
  Filled<'redacted'>

type ObservationRow = { readonly kind: 'observation' } & SignedRow & Filled<'source' | 'state'>

type TombstoneRow = { readonly kind: 'tombstone'; readonly id: string } & Filled<'subject_hash'>

export type SubjectRow = ItemRow | ObservationRow | TombstoneRow

/** A leaf of an item of which neither the row nor a tombstone is there, which is a mistake. */
interface LostRow {
  readonly kind: 'lost'
  readonly id: string
}

export type LeafRow = (SubjectRow | LostRow) & { readonly leaf_index: number }

/**
 * `made_later` is true when the subject is signed with a key that a block after the audited head introduced. `waits`
 * is false when no block will ever take it, which is a mistake.
 */
export type WaitingRow = (ItemRow | ObservationRow) & {
  readonly made_later: boolean
  readonly waits: boolean
}

/** The last row of a page. Undefined before the first page. */
type Last = { readonly id: string } | undefined

/** Rows per page. With claims of 64 KiB each, a page has 16 MiB. */
const SUBJECTS_PER_PAGE = 256

/**
 * The leaves of a block, ordered by id. No leaf is read twice or missed: one statement is one
 * snapshot, and a leaf never changes; an item that is deleted between two pages has a tombstone instead. Leaves of one
 * id, which are a mistake, come in the same page. Indexes: block_leaves_pkey, entropy_observations_leaf.
 */
export async function* leavesOf(
  em: EntityManager,
  { id, height, first_item_id, last_item_id }: BlockRow,
): AsyncGenerator<readonly LeafRow[]> {
  const block = { blockId: id, height, firstItem: first_item_id ?? '', lastItem: last_item_id ?? '' }
  for await (const page of pages(em, (last: Last) => NEXT_LEAVES({ ...block, after: last?.id ?? '' })))
    yield page.map((row) => ({ ...leafOf(row), leaf_index: row.leaf_index }))
}

/**
 * The items in a range of ids that have no block, ordered by id. An item that gets its block or is deleted
 * between two pages is not missed, because it is a leaf of a later block or is gone. Indexes: items_pkey,
 * block_leaves_pkey, waiting_moments_moment.
 */
export const waitingItemPages = (
  em: EntityManager,
  range: { readonly after: string; readonly upTo: string; readonly headHeight: number },
) => waitingPages(em, (last: Last) => NEXT_WAITING_ITEMS({ ...range, after: last?.id ?? range.after }))

/** The observations that have no block, ordered by id. Index: entropy_observations_waiting. */
export const waitingObservationPages = (em: EntityManager, headHeight: number) =>
  waitingPages(em, (last: Last) => NEXT_WAITING_OBSERVATIONS({ after: last?.id ?? '', headHeight }))

const SUBJECT_ROW = {
  kind: oneOf('item', 'observation', 'tombstone', 'lost'),
  id: text,
  subject_hash: nullable(bytes),
  content: nullable(text),
  content_hash: nullable(bytes),
  metadata: nullable(text),
  metadata_hash: nullable(bytes),
  signing_key_id: nullable(bytes),
  signature: nullable(bytes),
  inserted_ms: nullable(float8),
  hash: nullable(text),
  display_name: nullable(text),
  display_description: nullable(text),
  redacted: nullable(bool),
  source: nullable(text),
  state: nullable(text),
}

const PAGE = sql.lit(SUBJECTS_PER_PAGE)

/** Both lists have the columns of `SUBJECT_ROW` after the kind, the id and the hash, in the same order. */
const OF_ITEM = sql`
  i.claims AS content, i.claims_hash AS content_hash, i.metadata, i.metadata_hash, i.signing_key_id, i.signature,
  ${exactMs('i.inserted_at')} AS inserted_ms, i.hash, i.display_name, i.display_description,
  i.redacted_at IS NOT NULL AS redacted, NULL AS source, NULL AS state`

const OF_OBSERVATION = sql`
  o.entropy AS content, o.entropy_hash AS content_hash, o.metadata, o.metadata_hash, o.signing_key_id, o.signature,
  ${exactMs('o.inserted_at')} AS inserted_ms, NULL AS hash, NULL AS display_name, NULL AS display_description,
  NULL::boolean AS redacted, o.source, o.state`

/** The joins by an expression look up one row a leaf, see the README of the store. */
const NEXT_LEAVES = statement(
  { ...SUBJECT_ROW, leaf_index: int4 },
  (of: { blockId: string; height: number; after: string; firstItem: string; lastItem: string }) => sql`
  SELECT * FROM (
    (SELECT CASE WHEN i.id IS NOT NULL THEN 'item' WHEN t.id IS NOT NULL THEN 'tombstone' ELSE 'lost' END AS kind,
            l.subject_id AS id, coalesce(i.item_hash, t.item_hash) AS subject_hash, ${OF_ITEM}, l.leaf_index
       FROM block_leaves l
       LEFT JOIN items i ON i.id = l.subject_id || ''
       LEFT JOIN item_tombstones t ON t.id = l.subject_id || ''
      WHERE l.height = ${of.height} AND l.subject_id > ${of.after}
        AND l.subject_id >= ${of.firstItem} AND l.subject_id <= ${of.lastItem}
      ORDER BY l.subject_id FETCH FIRST ${PAGE} ROWS WITH TIES)
     UNION ALL
    (SELECT 'observation', o.id, o.observation_hash, ${OF_OBSERVATION}, coalesce(o.leaf_index, -1)
       FROM entropy_observations o WHERE o.block_id = ${of.blockId} AND o.id > ${of.after}
      ORDER BY o.id FETCH FIRST ${PAGE} ROWS WITH TIES)) AS leaf
   ORDER BY id FETCH FIRST ${PAGE} ROWS WITH TIES`,
)

const WAITING_ROW = { ...SUBJECT_ROW, made_later: bool, waits: bool }

/** @param key the column with the id of the subject's signing key */
const madeLater = (key: Sql, headHeight: number): Sql => sql`
  coalesce((SELECT k.introduced_at_height FROM signing_keys k WHERE k.key_id = ${key} LIMIT 1) > ${headHeight}, false)`

const NEXT_WAITING_ITEMS = statement(
  WAITING_ROW,
  ({ after, upTo, headHeight }: { after: string; upTo: string; headHeight: number }) => sql`
  SELECT 'item' AS kind, i.id, i.item_hash AS subject_hash, ${OF_ITEM},
         ${madeLater(sql`i.signing_key_id`, headHeight)} AS made_later,
         EXISTS (SELECT FROM waiting_moments w WHERE w.moment = left(i.id, 10)) AS waits
    FROM items i
   WHERE i.id > ${after} AND i.id <= ${upTo}
     AND (SELECT l.height FROM block_leaves l WHERE l.subject_id = i.id LIMIT 1) IS NULL
   ORDER BY i.id LIMIT ${PAGE}`,
)

const NEXT_WAITING_OBSERVATIONS = statement(
  WAITING_ROW,
  ({ after, headHeight }: { after: string; headHeight: number }) => sql`
  SELECT 'observation' AS kind, o.id, o.observation_hash AS subject_hash, ${OF_OBSERVATION},
         ${madeLater(sql`o.signing_key_id`, headHeight)} AS made_later, true AS waits
    FROM entropy_observations o WHERE o.block_id IS NULL AND o.id > ${after}
   ORDER BY o.id LIMIT ${PAGE}`,
)

async function* waitingPages(
  em: EntityManager,
  next: (last: Last) => Statement<RowOf<typeof WAITING_ROW>>,
): AsyncGenerator<readonly WaitingRow[]> {
  for await (const page of pages(em, next))
    yield page.map((row) => ({
      ...(row.kind === 'observation' ? observationOf(row) : itemOf(row)),
      made_later: row.made_later,
      waits: row.waits,
    }))
}

type Found = RowOf<typeof SUBJECT_ROW>

/** The columns that a row of this kind has. */
function leafOf(row: Found): SubjectRow | LostRow {
  const { kind, id } = row
  switch (kind) {
    case 'item':
      return itemOf(row)
    case 'observation':
      return observationOf(row)
    case 'tombstone':
      return { kind, id, subject_hash: presentColumn(row.subject_hash) }
    case 'lost':
      return { kind, id }
    default:
      return kind satisfies never
  }
}

function itemOf(row: Found): ItemRow {
  if (isFilled(row, ...SIGNED, 'redacted')) return { ...row, kind: 'item' }
  throw new Error(`A column of item ${row.id} is null.`)
}

function observationOf(row: Found): ObservationRow {
  if (isFilled(row, ...SIGNED, 'source', 'state')) return { ...row, kind: 'observation' }
  throw new Error(`A column of observation ${row.id} is null.`)
}

const isFilled = <Name extends keyof Found>(
  row: Found,
  ...names: readonly Name[]
): row is Found & Filled<Name> => names.every((name) => row[name] !== null)
