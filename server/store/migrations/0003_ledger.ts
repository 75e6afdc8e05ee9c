// The ledger: signing keys, the chain of blocks, the subjects, the tree tiles and the facts.
import { Migration } from '../migration.ts'

/**
 * The columns of items in order, each with the expression that is shown after the item has expired. Undefined shows
 * the column.
 */
const SHOWN_ITEM = {
  // No index has this expression in order, so the planner sorts the few expired rows and does not scan an index for
  // them.
  id: `id || ''`,
  team_id: undefined,
  creator_id: undefined,
  claims: 'NULL',
  claims_hash: undefined,
  hash: 'NULL',
  metadata: undefined,
  metadata_hash: undefined,
  item_hash: undefined,
  signing_key_id: undefined,
  signature: undefined,
  visibility: undefined,
  tags: undefined,
  display_name: 'NULL',
  display_description: 'NULL',
  redacted_at: 'expires_at',
  expires_at: undefined,
  inserted_at: undefined,
  updated_at: 'greatest(updated_at, expires_at)',
} as const

const EXPIRES = 'expires_at IS NOT NULL AND redacted_at IS NULL'

const COLUMNS = Object.keys(SHOWN_ITEM).join(', ')
const ONCE_EXPIRED = Object.entries(SHOWN_ITEM)
  .map(([column, instead]) => (instead === undefined ? column : `${instead} AS ${column}`))
  .join(', ')
/** A block that holds an item changes it for its readers, but does not write its row. */
const SHOWN = Object.keys(SHOWN_ITEM)
  .map((column) =>
    column === 'updated_at' ? 'greatest(items.updated_at, b.finalized_at) AS updated_at' : `items.${column}`,
  )
  .join(', ')

/** @param block the id of the item's block, null without one */
const itemState = (redactedAt: string, block: string): string => `
  CASE WHEN ${redactedAt} IS NOT NULL THEN 'redacted' WHEN ${block} IS NULL THEN 'created' ELSE 'committed' END`

export class Migration0003Ledger extends Migration {
  override up(): void {
    this.addSql(`
      -- Key n is the current key. Key n + 1 is the next one, and its hash is already published. Key n + 2 exists
      -- while a rotation waits for its block. rotation is set on the key that the next block introduces.
      CREATE TABLE signing_keys (
        key_id bytea PRIMARY KEY CHECK (length(key_id) = 4),
        public_key bytea NOT NULL UNIQUE CHECK (length(public_key) = 32),
        sealed_seed bytea NOT NULL,
        sequence int NOT NULL UNIQUE CHECK (sequence >= 0),
        rotation text CHECK (rotation IN ('genesis', 'rotation', 'emergency_rotation')),
        introduced_at_height int UNIQUE,
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now()
      )`)
    this.addSql(`
      -- The constraints make a fork impossible: one block per height, one successor per block, and the height of a
      -- successor is one more than that of its predecessor (the foreign key over the generated column). Genesis is
      -- its own predecessor.
      CREATE TABLE blocks (
        id text COLLATE "C" PRIMARY KEY,
        height int NOT NULL UNIQUE CHECK (height >= 0),
        previous_height int NOT NULL GENERATED ALWAYS AS (greatest(height - 1, 0)) STORED,
        previous_block_id text COLLATE "C" NOT NULL,
        previous_block_hash bytea NOT NULL UNIQUE CHECK (length(previous_block_hash) = 32),
        block_hash bytea NOT NULL UNIQUE CHECK (length(block_hash) = 32),
        merkle_root bytea NOT NULL CHECK (length(merkle_root) = 32),
        metadata text NOT NULL,
        metadata_hash bytea NOT NULL CHECK (length(metadata_hash) = 32),
        signing_key_id bytea NOT NULL REFERENCES signing_keys (key_id),
        signature bytea NOT NULL CHECK (length(signature) = 64),
        state text COLLATE "C" NOT NULL CHECK (state IN ('finalized', 'committed')),
        leaf_count int NOT NULL CHECK (leaf_count = item_count + observation_count),
        item_count int NOT NULL CHECK (item_count >= 0),
        observation_count int NOT NULL CHECK (observation_count >= 0),
        -- The smallest and the largest id of its items: the range of block_leaves in which they are.
        first_item_id text COLLATE "C",
        last_item_id text COLLATE "C",
        finalized_at timestamptz(3) NOT NULL,
        committed_at timestamptz(3),
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        updated_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        UNIQUE (id, height),
        FOREIGN KEY (previous_block_id, previous_height) REFERENCES blocks (id, height),
        CHECK (height = 0 OR previous_block_id < id),
        CHECK ((item_count = 0) = (first_item_id IS NULL) AND (item_count = 0) = (last_item_id IS NULL))
      )`)
    this.addSql(`
      -- claims and metadata are stored as canonical text, because jsonb would change number spellings and refuse
      -- U+0000. The row stays as it was submitted when the item gets its block: the place is in block_leaves.
      -- redacted_at is set while the claims are erased.
      CREATE TABLE items (
        id text COLLATE "C" PRIMARY KEY CHECK (length(id) = 26),
        team_id text COLLATE "C" NOT NULL REFERENCES teams (id),
        creator_id text COLLATE "C" NOT NULL REFERENCES users (id),
        claims text,
        claims_hash bytea NOT NULL CHECK (length(claims_hash) = 32),
        hash text COLLATE "C",
        metadata text NOT NULL,
        metadata_hash bytea NOT NULL CHECK (length(metadata_hash) = 32),
        item_hash bytea NOT NULL CHECK (length(item_hash) = 32),
        signing_key_id bytea NOT NULL,
        signature bytea NOT NULL CHECK (length(signature) = 64),
        visibility text COLLATE "C" NOT NULL DEFAULT 'private' CHECK (visibility IN ('private', 'team', 'public')),
        tags text[] COLLATE "C" NOT NULL DEFAULT '{}',
        display_name text COLLATE "C",
        display_description text,
        redacted_at timestamptz(3),
        expires_at timestamptz(3),
        inserted_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CHECK ((redacted_at IS NULL) = (claims IS NOT NULL)),
        CHECK (claims IS NOT NULL OR (hash IS NULL AND display_name IS NULL AND display_description IS NULL))
      )`)
    // The planner keeps samples of a column after the row is gone, so columns that redaction erases are not sampled.
    for (const column of ['claims', 'hash', 'display_name', 'display_description'])
      this.addSql(`ALTER TABLE items ALTER COLUMN ${column} SET STATISTICS 0`)
    this.addSql(`CREATE INDEX items_expiring ON items (expires_at) WHERE ${EXPIRES}`)
    this.addSql(`CREATE INDEX items_expiring_in_team ON items (team_id, expires_at) WHERE ${EXPIRES}`)
    this.addSql(`CREATE INDEX items_expiring_id ON items USING hash ((id || '')) WHERE ${EXPIRES}`)
    this.addSql(`
      -- The place of an item in the chain: the leaf_index of the block of this height. Items are placed in the order
      -- of their ids. The row stays when the item is deleted, because its hash stays a leaf. height has no foreign
      -- key, because a check per row would double the cost of a large block. Only finalization inserts rows, in the
      -- transaction that inserts the block, and the audit checks them.
      CREATE TABLE block_leaves (
        height int NOT NULL,
        leaf_index int NOT NULL,
        subject_id text COLLATE "C" PRIMARY KEY
      )`)
    this.addSql(`
      -- Milliseconds in which items were submitted that have no block yet: the first ten characters of their ids, and
      -- how many items. Each submission inserts a row for its items, and finalization deletes it. It is one row for a
      -- group and not one for an item, because each row would be written twice. Rows of one moment are independent of
      -- each other, so submissions never wait for each other here.
      CREATE TABLE waiting_moments (
        moment text COLLATE "C" NOT NULL CHECK (length(moment) = 10),
        items int NOT NULL CHECK (items > 0)
      )`)
    this.addSql(`CREATE INDEX waiting_moments_moment ON waiting_moments (moment)`)
    this.addSql(`
      -- Items as clients see them. Every read for a client must use this view, because it hides the claims from the
      -- moment of expiry on, even before they are erased. Expired items that are not redacted yet are a separate
      -- branch. They are few and have their own indexes, so the other branch can use every index of the table for
      -- filters and orders. pharos_now() is the same in both branches. The conditions stand outside the union,
      -- because conditions inside would make the planner plan each branch alone, and then no index could yield an
      -- order. The planner removes the part of the conditions that cannot hold in a branch. It also leaves out the
      -- joins with leaf and block when nothing of them is read. The join with the leaf is by an expression, because the
      -- planner would merge two indexes otherwise, and read the leaves from the first one on for a page in the middle.
      -- height is for conditions, and is not published.
      CREATE VIEW shown_items AS
        SELECT ${SHOWN}, ${itemState('items.redacted_at', 'l.height')} COLLATE "C" AS state,
               b.id AS block_id, l.height, l.leaf_index, b.finalized_at AS committed_at,
               b.committed_at AS proof_available_at
          FROM (SELECT ${COLUMNS}, redacted_at IS NOT NULL AS is_erased, false AS is_over FROM items
                UNION ALL
                SELECT ${ONCE_EXPIRED}, redacted_at IS NOT NULL, true FROM items) AS items
          LEFT JOIN block_leaves l ON l.subject_id = items.id || ''
          LEFT JOIN blocks b ON b.height = l.height
         WHERE (NOT is_over AND (expires_at IS NULL OR expires_at > pharos_now() OR is_erased))
            OR (is_over AND expires_at <= pharos_now() AND NOT is_erased)`)
    this.addSql(`CREATE INDEX items_team ON items (team_id, id)`)
    this.addSql(`
      -- The remains of a deleted item, so that the audit can tell a deletion from a loss. Its place, if it has one,
      -- stays in block_leaves.
      CREATE TABLE item_tombstones (
        id text COLLATE "C" PRIMARY KEY,
        item_hash bytea NOT NULL CHECK (length(item_hash) = 32),
        deleted_at timestamptz(3) NOT NULL DEFAULT pharos_now()
      )`)
    this.addSql(`
      CREATE TABLE entropy_observations (
        id text COLLATE "C" PRIMARY KEY CHECK (length(id) = 36),
        source text COLLATE "C" NOT NULL CHECK (source LIKE 'entropy\\_%'),
        state text COLLATE "C" NOT NULL DEFAULT 'created' CHECK (state IN ('created', 'committed')),
        entropy text NOT NULL,
        entropy_hash bytea NOT NULL CHECK (length(entropy_hash) = 32),
        metadata text NOT NULL,
        metadata_hash bytea NOT NULL CHECK (length(metadata_hash) = 32),
        observation_hash bytea NOT NULL CHECK (length(observation_hash) = 32),
        signing_key_id bytea NOT NULL,
        signature bytea NOT NULL CHECK (length(signature) = 64),
        capture_method text NOT NULL DEFAULT 'poll' CHECK (capture_method = 'poll'),
        source_published_at timestamptz(3),
        block_id text COLLATE "C",
        leaf_index int,
        inserted_at timestamptz(3) NOT NULL,
        UNIQUE (source, entropy_hash),
        CHECK ((block_id IS NULL) = (leaf_index IS NULL))
      )`)
    this.addSql(`CREATE INDEX entropy_observations_newest ON entropy_observations (source, id)`)
    this.addSql(
      `CREATE INDEX entropy_observations_waiting ON entropy_observations (id) WHERE block_id IS NULL`,
    )
    this.addSql(`
      CREATE UNIQUE INDEX entropy_observations_leaf ON entropy_observations (block_id, leaf_index)
      WHERE block_id IS NOT NULL`)
    this.addSql(`
      -- Tile (level, tile) has up to 256 node hashes of height 8 * level, starting at node 256 * tile. A tile that is
      -- not full has one hash more when there are leaves to the right of its nodes: the root over those leaves.
      CREATE TABLE block_tiles (
        block_id text COLLATE "C" NOT NULL,
        level smallint NOT NULL,
        tile int NOT NULL,
        hashes bytea NOT NULL CHECK (length(hashes) BETWEEN 32 AND 8192 AND length(hashes) % 32 = 0),
        PRIMARY KEY (block_id, level, tile)
      )`)
    this.addSql(`ALTER TABLE block_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL`)
    this.addSql(`
      -- Facts are written in the transaction that makes them true. Ids become visible out of order, so readers order
      -- by (xid, id) and stop before the oldest transaction that is still running.
      CREATE TABLE facts (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
        kind text COLLATE "C" NOT NULL,
        subject_id text COLLATE "C" NOT NULL,
        creator_id text COLLATE "C",
        team_id text COLLATE "C",
        visibility text COLLATE "C",
        data jsonb NOT NULL,
        at timestamptz(3) NOT NULL DEFAULT pharos_now()
      )`)
    this.addSql(`CREATE INDEX facts_in_commit_order ON facts (xid, id)`)
    this.addSql(`CREATE INDEX facts_age ON facts USING brin (at)`)
    this.addSql(`
      -- An item as events show it, in the block with this id and time of finalization, which are null without one. It
      -- never contains claims.
      CREATE FUNCTION item_event(i items, block_id text, committed_at timestamptz) RETURNS jsonb
        LANGUAGE sql STABLE AS $$
        SELECT jsonb_build_object(
          'id', i.id, 'state', ${itemState('i.redacted_at', 'block_id')},
          'visibility', i.visibility,
          'claims_hash', encode(i.claims_hash, 'hex'), 'metadata_hash', encode(i.metadata_hash, 'hex'),
          'item_hash', encode(i.item_hash, 'hex'), 'tags', to_jsonb(i.tags), 'team_id', i.team_id,
          'block_id', block_id, 'inserted_at', iso_time(i.inserted_at),
          'committed_at', iso_time(committed_at), 'redacted_at', iso_time(i.redacted_at))
      $$`)
    this.addSql(`
      -- The same, in the block in which it is now.
      CREATE FUNCTION item_snapshot(i items) RETURNS jsonb LANGUAGE sql STABLE AS $$
        SELECT item_event(i, b.id, b.finalized_at)
          FROM (VALUES (0)) AS one
          LEFT JOIN block_leaves l ON l.subject_id = i.id
          LEFT JOIN blocks b ON b.height = l.height
      $$`)
  }
}
