// Tables and indexes for published resources: invitations, idempotency keys, and an index per sort and equality
// filter.
import { Migration } from '../migration.ts'

/**
 * Indexes for the lists of a team's items. Each submission writes to each index that its item is in, so there is one for
 * what is published and no other.
 */
const ITEM_INDEXES = {
  claims_hash: '(team_id, claims_hash, id)',
  item_hash: '(team_id, item_hash, id)',
  hash: '(team_id, hash, id) WHERE hash IS NOT NULL',
  display_name: '(team_id, display_name, id)',
  visibility: '(team_id, visibility, id)',
  creator_id: '(team_id, creator_id, visibility, id)',
  expires_at: '(team_id, expires_at, id) WHERE expires_at IS NOT NULL',
  kept: '(team_id, id) WHERE redacted_at IS NULL',
  redacted: '(team_id, id) WHERE redacted_at IS NOT NULL',
} as const

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
    for (const [name, range] of Object.entries(ITEM_INDEXES))
      this.addSql(`CREATE INDEX items_${name} ON items ${range}`)
    this.addSql(`
      -- A row a tag of an item, so that the items with a tag are one range in the order of their ids.
      CREATE TABLE item_tags (
        team_id text COLLATE "C" NOT NULL,
        tag text COLLATE "C" NOT NULL,
        item_id text COLLATE "C" NOT NULL,
        PRIMARY KEY (team_id, tag, item_id)
      )`)
    this.addSql(`
      -- Whoever writes items, their tags follow. The conditions of the triggers keep items without tags from paying.
      CREATE FUNCTION follow_item_tags() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF TG_OP <> 'INSERT' THEN
            DELETE FROM item_tags t
             WHERE t.team_id = OLD.team_id AND t.tag = ANY (OLD.tags) AND t.item_id = OLD.id;
          END IF;
          IF TG_OP <> 'DELETE' THEN
            INSERT INTO item_tags (team_id, tag, item_id)
            SELECT NEW.team_id, tag, NEW.id FROM unnest(NEW.tags) AS tag ON CONFLICT DO NOTHING;
          END IF;
          RETURN NULL;
        END
      $$`)
    this.addSql(`
      CREATE TRIGGER follow_new_tags AFTER INSERT ON items FOR EACH ROW
      WHEN (NEW.tags <> '{}') EXECUTE FUNCTION follow_item_tags()`)
    this.addSql(`
      CREATE TRIGGER follow_changed_tags AFTER UPDATE OF id, tags, team_id ON items FOR EACH ROW
      WHEN ((OLD.id, OLD.tags, OLD.team_id) IS DISTINCT FROM (NEW.id, NEW.tags, NEW.team_id))
      EXECUTE FUNCTION follow_item_tags()`)
    this.addSql(`
      CREATE TRIGGER follow_removed_tags AFTER DELETE ON items FOR EACH ROW
      WHEN (OLD.tags <> '{}') EXECUTE FUNCTION follow_item_tags()`)
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
  }
}
