// Many rows at once behind the service's back: valid to the database, quick to make, with values that collide on purpose.

import { ulidFloor } from '../../../server/kernel/identifiers.ts'

type Run = (text: string, parameters: unknown[]) => Promise<unknown>

export interface Crowd {
  readonly team: string
  readonly creator: string
  readonly from: number
  readonly count: number
  /** Only those among them. */
  readonly only?: readonly number[]
  /** They are spread over so many blocks, from height 1 on, which must be there. */
  readonly blocks?: number
}

/**
 * Items of one team, `count` of them from number `from` on: ids ascend with the numbers, every sortable field has
 * equal neighbours, every nullable one has nulls, and every fifth has no block.
 * Signatures and hashes are of the right length, no more: audit would refuse these rows.
 */
export async function insertItems(
  run: Run,
  { team, creator, from, count, only, blocks = 3 }: Crowd,
): Promise<void> {
  await run(INSERT_ITEMS, [team, creator, from, count, only ?? null, blocks])
  await run(WIDEN_BLOCKS, [itemId(from), itemId(from + count)])
}

/**
 * Blocks that follow the newest one, each a millisecond later: a chain by their hashes, and in the log by their heights.
 * Nothing tells the servers of them before the next block is made.
 */
export const insertBlocks = (run: Run, count: number): Promise<unknown> => run(INSERT_BLOCKS, [count])

/** The id of the item with this number. Two items have the same millisecond. */
export const itemId = (n: number): string =>
  `${ulidFloor(EPOCH + Math.floor(n / 2) * 1_000).slice(0, 10)}${String(n).padStart(16, '0')}`

const EPOCH = Date.parse('2026-01-01T00:00:00Z')

const INSERT_ITEMS = `
  WITH made AS (
    INSERT INTO items (id, team_id, creator_id, claims, claims_hash, hash, metadata, metadata_hash, item_hash,
                       signing_key_id, signature, visibility, tags, display_name, display_description,
                       redacted_at, expires_at, inserted_at, updated_at)
    SELECT left(ulid_floor('2026-01-01T00:00:00Z'::timestamptz + (n / 2) * interval '1 second'), 10) || lpad(n::text, 16, '0'), $1, $2, CASE WHEN n % 7 = 0 THEN NULL ELSE '{}' END,
           sha256(convert_to((n / 3)::text, 'UTF8')), CASE WHEN n % 7 = 0 OR n % 3 = 0 THEN NULL ELSE 'f' || (n / 2) END,
           '{}', sha256(convert_to('m' || n, 'UTF8')), sha256(convert_to('i' || n, 'UTF8')),
           '\\x00000000', decode(repeat('00', 64), 'hex'),
           (ARRAY['private', 'team', 'public'])[1 + n % 3], ARRAY['t' || n % 4, 'even' || n % 2],
           CASE WHEN n % 7 = 0 OR n % 4 = 0 THEN NULL ELSE 'Name ' || (n / 5) END, NULL,
           CASE WHEN n % 7 = 0 THEN '2026-03-01T00:00:00Z'::timestamptz END,
           CASE WHEN n % 6 = 0 THEN '2036-01-01T00:00:00Z'::timestamptz + (n / 4) * interval '1 minute' END,
           '2026-01-01T00:00:00Z'::timestamptz + (n / 2) * interval '1 second',
           '2026-06-01T00:00:00Z'::timestamptz + (n / 3) * interval '1 second'
      FROM generate_series($3::int, $3::int + $4::int - 1) AS n
     WHERE $5::int[] IS NULL OR n = ANY($5::int[])
        ON CONFLICT DO NOTHING
    RETURNING id, right(id, 16)::bigint AS n),
  waiting AS (
    INSERT INTO waiting_moments (moment, items) SELECT left(id, 10), count(*) FROM made WHERE n % 5 = 0 GROUP BY 1)
  INSERT INTO block_leaves (height, leaf_index, subject_id)
  SELECT 1 + n % $6::int, n, id FROM made WHERE n % 5 <> 0 ORDER BY id
      ON CONFLICT DO NOTHING`

const WIDEN_BLOCKS = `
  UPDATE blocks b SET first_item_id = least(b.first_item_id, l.first_id), last_item_id = greatest(b.last_item_id, l.last_id),
                      item_count = b.item_count + l.items, leaf_count = b.leaf_count + l.items
    FROM (SELECT height, min(subject_id) AS first_id, max(subject_id) AS last_id, count(*)::int AS items
            FROM block_leaves WHERE subject_id >= $1 AND subject_id < $2 GROUP BY height) AS l
   WHERE b.height = l.height`

const INSERT_BLOCKS = `
  WITH head AS (SELECT * FROM blocks ORDER BY height DESC LIMIT 1),
  made AS (
    SELECT n, head.finalized_at + n * interval '1 millisecond' AS at,
           sha256(head.block_hash || convert_to(n::text, 'UTF8')) AS hash
      FROM head, generate_series(1, $1::int) AS n),
  named AS (
    SELECT n, at, hash, regexp_replace(lpad(to_hex(unix_ms(at)::bigint), 12, '0'), '^.{8}', '\\&-') || '-7000-8000-' ||
           lpad(to_hex(n), 12, '0') AS id
      FROM made)
  INSERT INTO blocks (id, height, previous_block_id, previous_block_hash, block_hash, merkle_root, metadata, metadata_hash,
                      signing_key_id, signature, state, leaf_count, item_count, observation_count, finalized_at)
  SELECT named.id, head.height + n, coalesce(lag(named.id) OVER (ORDER BY n), head.id),
         coalesce(lag(hash) OVER (ORDER BY n), head.block_hash), hash, head.merkle_root, '{}', sha256('{}'),
         head.signing_key_id, head.signature, 'finalized', 0, 0, 0, at
    FROM head, named ORDER BY n`
