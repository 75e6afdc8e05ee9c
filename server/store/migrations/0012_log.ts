// The public log: the tree over all blocks, the keys that sign it, and what they have signed.
import { Migration } from '../migration.ts'

/** Blocks of one statement, and so of one notice. Whole tiles of the first two levels. */
const BLOCKS_PER_PIECE = 65_536

/** An entry has at most 65,535 bytes, and its other parts take 233 of them. */
const MOST_METADATA_BYTES = 65_302

const part = (length: number, bytes: string): string => `int4send(${length}) || ${bytes}`

export class Migration0012Log extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE blocks ADD CHECK (octet_length(metadata) <= ${MOST_METADATA_BYTES})`)
    this.addSql(`
      -- The hash of a leaf of RFC 9162 over the entry of a block: the bytes of which the block hash is made, the
      -- signature and the metadata, each after its length.
      CREATE FUNCTION log_leaf(b blocks) RETURNS bytea LANGUAGE sql STABLE AS $$
        SELECT sha256('\\x00' || ${part(157, `'\\x32'`)} || ${part(36, `convert_to(b.id, 'UTF8')`)}
            || ${part(32, 'b.previous_block_hash')} || ${part(32, 'b.merkle_root')} || ${part(32, 'b.metadata_hash')}
            || ${part(4, 'b.signing_key_id')} || ${part(64, 'b.signature')}
            || int4send(octet_length(b.metadata)) || convert_to(b.metadata, 'UTF8'))
      $$`)
    this.addSql(`
      -- The root over the hashes of a full tile: eight times, each pair of neighbours becomes one hash.
      CREATE FUNCTION log_tile_root(hashes bytea) RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
        BEGIN
          WHILE length(hashes) > 32 LOOP
            hashes := (SELECT string_agg(sha256('\\x01' || substr(hashes, 64 * pair + 1, 64)), '' ORDER BY pair)
                         FROM generate_series(0, length(hashes) / 64 - 1) AS pair);
          END LOOP;
          RETURN hashes;
        END
      $$`)
    this.addSql(`
      -- Tile (level, tile) has up to 256 hashes, each the root over 256 ^ level blocks, starting at the hash with
      -- number 256 * tile. A tile only grows at its end, and a full one never changes.
      CREATE TABLE log_tiles (
        level smallint NOT NULL CHECK (level >= 0),
        tile int NOT NULL CHECK (tile >= 0),
        hashes bytea NOT NULL CHECK (length(hashes) BETWEEN 32 AND 8192 AND length(hashes) % 32 = 0),
        PRIMARY KEY (level, tile)
      )`)
    this.addSql(`ALTER TABLE log_tiles ALTER COLUMN hashes SET STORAGE EXTERNAL`)
    this.addSql(`
      DO $$
        DECLARE
          blocks_there int := (SELECT count(*) FROM blocks);
          done int := 0;
          above smallint := 0;
        BEGIN
          WHILE done < blocks_there LOOP
            INSERT INTO log_tiles
            SELECT 0, b.height / 256, string_agg(log_leaf(b), '' ORDER BY b.height) FROM blocks b
             WHERE b.height >= done AND b.height < done + ${BLOCKS_PER_PIECE} GROUP BY b.height / 256;
            done := least(done + ${BLOCKS_PER_PIECE}, blocks_there);
            RAISE NOTICE '% of % blocks are in the log', done, blocks_there;
          END LOOP;
          WHILE EXISTS (SELECT FROM log_tiles WHERE level = above AND length(hashes) = 8192) LOOP
            INSERT INTO log_tiles
            SELECT above + 1, tile / 256, string_agg(log_tile_root(hashes), '' ORDER BY tile) FROM log_tiles
             WHERE level = above AND length(hashes) = 8192 GROUP BY tile / 256;
            above := above + 1;
          END LOOP;
        END
      $$`)
    this.addSql(`
      -- Appends the leaf of a block in the statement that inserts the block. So no block is without its leaf, whoever
      -- inserts it. The hash of a tile that is full is appended to the level above.
      CREATE FUNCTION append_to_log() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          added bytea := log_leaf(NEW);
          place int := NEW.height;
          at smallint := 0;
        BEGIN
          LOOP
            IF place % 256 = 0 THEN
              INSERT INTO log_tiles VALUES (at, place / 256, added);
            ELSE
              UPDATE log_tiles SET hashes = hashes || added
               WHERE level = at AND tile = place / 256 AND length(hashes) = 32 * (place % 256);
              IF NOT FOUND THEN
                RAISE EXCEPTION 'The log is not at height %', NEW.height USING ERRCODE = 'integrity_constraint_violation';
              END IF;
            END IF;
            EXIT WHEN place % 256 < 255;
            added := (SELECT log_tile_root(hashes) FROM log_tiles WHERE level = at AND tile = place / 256);
            at := at + 1;
            place := place / 256;
          END LOOP;
          RETURN NULL;
        END
      $$`)
    this.addSql(
      `CREATE TRIGGER blocks_append_to_log AFTER INSERT ON blocks FOR EACH ROW EXECUTE FUNCTION append_to_log()`,
    )
    this.addSql(`
      -- The identities of the log, the first one with number 1. One of them is not retired. last_checkpoint is the
      -- signed note that the ledger could not go on from.
      CREATE TABLE log_keys (
        number int PRIMARY KEY CHECK (number > 0),
        origin text COLLATE "C" NOT NULL UNIQUE,
        public_key bytea NOT NULL UNIQUE CHECK (length(public_key) = 32),
        sealed_seed bytea NOT NULL,
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        retired_at timestamptz(3),
        reason text,
        last_checkpoint text,
        CHECK ((retired_at IS NULL) = (reason IS NULL)),
        CHECK (last_checkpoint IS NULL OR retired_at IS NOT NULL)
      )`)
    this.addSql(`CREATE UNIQUE INDEX log_keys_in_use ON log_keys ((true)) WHERE retired_at IS NULL`)
    this.addSql(`
      -- What was signed: the root over the first blocks, as many as size says. At most one a key and size.
      CREATE TABLE log_checkpoints (
        log int NOT NULL REFERENCES log_keys (number),
        size int NOT NULL CHECK (size > 0),
        root bytea NOT NULL CHECK (length(root) = 32),
        signature bytea NOT NULL CHECK (length(signature) = 64),
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        PRIMARY KEY (log, size)
      )`)
  }
}
