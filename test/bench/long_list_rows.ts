// Five million items and as many deliveries, made by a few statements. Frequent values and rare ones, which are far from
// where a list begins; items of others, and a small team beside the large one.
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import type { Ground } from './ground.ts'

export const ROWS = 5_000_000
/** Items that wait for a block. */
const WAITING = 10_000
const BLOCKS = 2_000
/** The first items have the rare values. Lists begin with the last ones. */
const RARE = 40
/** Items of one submission have the same millisecond. */
const GROUP = 50
const PIECE = 500_000

export interface LongLists {
  /** A member of the large team who submitted little of it. */
  readonly memberId: string
  /** A team with few items. */
  readonly smallTeamId: string
}

export async function fillLongLists(
  { bare, store, signer, publicLog, userId, teamId }: Ground,
  others: LongLists,
  say: (line: string) => void,
) {
  await bare(
    `SELECT set_config('maintenance_work_mem', '1GB', false), set_config('synchronous_commit', 'off', false)`,
  )
  // Rounds are before the items that they refer to, because none that is logged may refer to one that is not.
  const tables = ['aggregation_rounds', 'items', 'block_leaves', 'item_tags', 'webhook_deliveries']
  const indexes = await bare<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = ANY($1::text[])
        AND indexname NOT IN (SELECT conname FROM pg_constraint WHERE contype IN ('p', 'u'))`,
    [tables],
  )
  const keys = await bare<{ name: string }>(
    `SELECT conname AS name FROM pg_constraint WHERE conrelid = 'items'::regclass AND contype = 'f'`,
  )
  for (const { name } of keys) await bare(`ALTER TABLE items DROP CONSTRAINT ${name}`)
  for (const table of tables) await bare(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  for (const table of tables) await bare(`ALTER TABLE ${table} SET UNLOGGED`)
  for (const { name } of indexes) await bare(`DROP INDEX ${name}`)
  say(`  ${ROWS} items`)
  await bare(BLOCK_ROWS, [BLOCKS, ROWS - WAITING])
  for (let first = 1; first <= ROWS; first += PIECE)
    await bare(ITEMS, [teamId, userId, others.memberId, others.smallTeamId, first, first + PIECE - 1])
  await bare(LEAVES, [BLOCKS, ROWS - WAITING])
  // A server starts only on a head that verifies.
  await finalizeBlock({ em: store.em('ledger'), signer, publicLog }, { intervalMs: 1 })
  await bare(WAITING_ROWS, [ROWS - WAITING])
  await bare(TAGS)
  say(`  ${ROWS} deliveries`)
  for (let first = 1; first <= ROWS; first += PIECE)
    await bare(DELIVERIES, [userId, others.memberId, first, first + PIECE - 1])
  say('  indexes')
  for (const { definition } of indexes) await bare(definition)
  for (const table of tables) await bare(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
  for (const table of [...tables, 'blocks']) await bare(`VACUUM ANALYZE ${table}`)
}

/** The newest block is made in an hour. What waits is later still, because an item is never older than the head. */
const START = new Date(Date.now() + 3_600_000 - ((ROWS - WAITING) / GROUP) * 200).toISOString()

const at = (n: string) => `'${START}'::timestamptz + (${n} / ${GROUP}) * interval '200 milliseconds'`

/** Block k has the items up to (k + 1) / blocks of those that have one. */
const BLOCK_ROWS = `
  INSERT INTO blocks (id, height, previous_block_id, previous_block_hash, block_hash, merkle_root, metadata, metadata_hash,
                      signing_key_id, signature, state, leaf_count, item_count, observation_count, first_item_id,
                      last_item_id, finalized_at)
  SELECT left(b.id, 13) || '-7fff-bfff-' || lpad(k::text, 12, '0'), k,
         CASE k WHEN 1 THEN b.id ELSE left(b.id, 13) || '-7fff-bfff-' || lpad((k - 1)::text, 12, '0') END, sha256(('p' || k)::bytea), sha256(('b' || k)::bytea),
         b.merkle_root, '{}', b.metadata_hash, b.signing_key_id, b.signature, 'finalized', $2::int / $1::int, $2::int / $1::int, 0, '', '',
         ${at('(k::bigint * $2::int / $1::int)')}
    FROM blocks b, generate_series(1, $1::int) AS k WHERE b.height = 0`

const ITEMS = `
  INSERT INTO items (id, team_id, creator_id, claims, claims_hash, hash, metadata, metadata_hash, item_hash, signing_key_id,
                     signature, visibility, tags, display_name, redacted_at, expires_at, inserted_at, updated_at)
  SELECT left(moment.floor, 10) || lpad(n::text, 16, '0'),
         CASE WHEN n % 1000 = 7 THEN $4 ELSE $1 END, CASE WHEN n <= ${RARE} OR n % 10 = 3 THEN $3 ELSE $2 END,
         CASE WHEN is_erased THEN NULL ELSE '{"hash":"' || n || '","name":"A file with a name"}' END,
         CASE WHEN n <= ${RARE} OR n % 2 = 0 THEN sha256(n::text::bytea) ELSE sha256('same') END,
         CASE WHEN is_erased THEN NULL WHEN n % 2 = 0 THEN 'hash ' || n WHEN n <= ${RARE} THEN 'rare' ELSE 'same' END,
         '{}', sha256('{}'), sha256(('i' || n)::bytea), '\\x00000000', sha256('s') || sha256('s'),
         CASE WHEN n <= ${RARE} THEN 'public' WHEN n % 10 = 1 THEN 'team' ELSE 'private' END,
         CASE WHEN n <= ${RARE} THEN ARRAY['rare', 'all'] WHEN n % 3 = 0 THEN ARRAY['all'] ELSE '{}' END,
         CASE WHEN is_erased THEN NULL WHEN n % 2 = 0 THEN 'Name ' || n WHEN n <= ${RARE} THEN 'Rare' ELSE 'Same' END,
         CASE WHEN is_erased THEN inserted END,
         CASE WHEN n <= ${RARE} THEN '2099-01-01T00:00:00Z'::timestamptz WHEN n % 50 = 9 THEN '2050-01-01T00:00:00Z' END,
         inserted, inserted
    FROM (SELECT ${at('g')} AS inserted, ulid_floor(${at('g')}) AS floor, g
            FROM generate_series($5::int, $6::int, ${GROUP}) AS g) AS moment,
         LATERAL (SELECT n, n > ${RARE} AND n < ${2 * RARE} AS is_erased
                    FROM generate_series(g, g + ${GROUP - 1}) AS n) AS numbers`

const LEAVES = `
  WITH placed AS (
    INSERT INTO block_leaves (height, leaf_index, subject_id)
    SELECT 1 + ((nth - 1) * $1::int / $2::int), (nth - 1) % ($2::int / $1::int), id
      FROM (SELECT id, row_number() OVER (ORDER BY id) AS nth FROM items) AS ordered WHERE nth <= $2::int
    RETURNING height, subject_id)
  UPDATE blocks b SET first_item_id = p.first_id, last_item_id = p.last_id
    FROM (SELECT height, min(subject_id) AS first_id, max(subject_id) AS last_id FROM placed GROUP BY height) AS p
   WHERE b.height = p.height`

const WAITING_ROWS = `
  INSERT INTO waiting_moments (moment, items)
  SELECT left(id, 10), count(*) FROM (SELECT id FROM items ORDER BY id OFFSET $1::int) AS waiting GROUP BY 1`

const TAGS = 'INSERT INTO item_tags (team_id, tag, item_id) SELECT team_id, unnest(tags), id FROM items'

/** One in a hundred thousand has a rare status; the rare endpoint and event are among the oldest. */
const DELIVERIES = `
  INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id, creator_id,
                                  team_id, visibility, status, http_status, attempts, completed_at, payload, inserted_at,
                                  updated_at)
  SELECT '01900000-0000-7000-8000-' || lpad(n::text, 12, '0'), CASE WHEN n % 1000 = 7 THEN $2 ELSE $1 END,
         '01900000-0000-7000-9000-' || lpad(CASE WHEN n <= ${RARE} THEN '1' ELSE '2' END, 12, '0'),
         CASE WHEN n <= ${RARE} THEN 'item.deleted' WHEN n % 2 = 0 THEN 'item.created' ELSE 'item.committed' END, 'item',
         CASE WHEN n % 2 = 0 THEN 'same' ELSE 'item ' || n END, 'msg_' || n, $1, 'team', 'private',
         CASE WHEN n <= ${RARE} THEN 'failed' WHEN n % 100000 = 0 THEN 'cancelled' ELSE 'success' END,
         CASE WHEN n <= ${RARE} THEN 500 ELSE 200 END, 1, '2026-06-01', '{}',
         ${at('n')}, ${at('n')}
    FROM generate_series($3::int, $4::int) AS n`
