// Tables and indexes for published resources: invitations, idempotency keys, and an index per sort and equality
// filter.
import { Migration } from '../migration.ts'

/** Columns of items by which a team's lists are sorted or filtered, besides those that follow from the id. */
const ITEM_COLUMNS = [
  'claims_hash',
  'item_hash',
  'hash',
  'visibility',
  'display_name',
  'creator_id',
  'expires_at',
] as const

export class Migration0006Publishing extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE invitations (
        membership_id text COLLATE "C" PRIMARY KEY REFERENCES memberships (id) ON DELETE CASCADE,
        email text COLLATE "C" NOT NULL,
        token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
        invited_by text COLLATE "C" NOT NULL REFERENCES users (id),
        expires_at timestamptz(3) NOT NULL
      )`)
    this.addSql(`CREATE INDEX invitations_expires_at ON invitations (expires_at)`)
    this.addSql(`
      -- outcome contains ids and refusals, never claims, because redaction does not change this table.
      CREATE TABLE idempotency_keys (
        user_id text COLLATE "C" NOT NULL REFERENCES users (id),
        key text COLLATE "C" NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
        request_hash bytea NOT NULL CHECK (length(request_hash) = 32),
        outcome text NOT NULL,
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        PRIMARY KEY (user_id, key)
      )`)
    this.addSql(`
      -- What a creator submitted in a day (UTC), for plans with a daily limit. Every group of submissions changes a
      -- row, so the key is the only index and each page has free room.
      CREATE TABLE daily_submissions (
        day date NOT NULL,
        creator_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        items bigint NOT NULL,
        bytes bigint NOT NULL,
        PRIMARY KEY (day, creator_id)
      ) WITH (fillfactor = 70)`)
    this.addSql(`
      -- Admits each ask that fits, in order. The row stays locked until the transaction ends, and other submissions
      -- of the creator wait for it.
      CREATE FUNCTION take_allowance(creator text, nths int[], asked_items double precision[],
                                     asked_bytes double precision[], most_items double precision,
                                     most_bytes double precision)
        RETURNS TABLE (nth int, day date, beyond text) LANGUAGE plpgsql VOLATILE AS $$
        DECLARE
          today date := (pharos_now() AT TIME ZONE 'UTC')::date;
          had daily_submissions;
        BEGIN
          LOOP
            SELECT d.* INTO had FROM daily_submissions d WHERE d.day = today AND d.creator_id = creator FOR UPDATE;
            EXIT WHEN FOUND;
            INSERT INTO daily_submissions VALUES (today, creator, 0, 0) ON CONFLICT DO NOTHING;
          END LOOP;
          day := today;
          FOR i IN 1 .. array_length(nths, 1) LOOP
            nth := nths[i];
            beyond := CASE WHEN had.items + asked_items[i] > most_items THEN 'items'
                           WHEN had.bytes + asked_bytes[i] > most_bytes THEN 'bytes' END;
            IF beyond IS NULL THEN
              had.items := had.items + asked_items[i];
              had.bytes := had.bytes + asked_bytes[i];
            END IF;
            RETURN NEXT;
          END LOOP;
          UPDATE daily_submissions d SET items = had.items, bytes = had.bytes
           WHERE d.day = today AND d.creator_id = creator;
        END
      $$`)
    this.addSql(`CREATE INDEX idempotency_keys_age ON idempotency_keys USING brin (inserted_at)`)
    for (const column of ITEM_COLUMNS)
      this.addSql(`CREATE INDEX items_${column} ON items (team_id, ${column}, id)`)
    this.addSql(`CREATE INDEX items_redacted ON items (team_id, id) WHERE redacted_at IS NOT NULL`)
    this.addSql(`CREATE INDEX items_tags ON items USING gin (tags)`)
    this.addSql(`CREATE INDEX blocks_state ON blocks (state, id)`)
    this.addSql(`CREATE INDEX blocks_finalized_at ON blocks (finalized_at, id)`)
    this.addSql(`CREATE INDEX entropy_observations_state ON entropy_observations (state, id)`)
    this.addSql(`CREATE INDEX entropy_observations_entropy_hash ON entropy_observations (entropy_hash)`)
    this.addSql(
      `CREATE INDEX entropy_observations_observation_hash ON entropy_observations (observation_hash)`,
    )
    this.addSql(
      `CREATE INDEX entropy_observations_published ON entropy_observations (source_published_at, id)`,
    )
    this.addSql(`CREATE INDEX entropy_observations_inserted_at ON entropy_observations (inserted_at, id)`)
    this.addSql(`CREATE INDEX teams_name ON teams (name, id)`)
    this.addSql(`CREATE INDEX memberships_role ON memberships (role, id)`)
    this.addSql(`CREATE INDEX memberships_state ON memberships (state, id)`)
  }
}
