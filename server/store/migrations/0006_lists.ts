// What lists are read by: an index for each filter and sort that is published, and a row for each tag of an item.
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

export class Migration0006Lists extends Migration {
  override up(): void {
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
