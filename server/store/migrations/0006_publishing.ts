// What publishing every resource takes: invitations, remembered requests, and an index per sort and equality filter.
import { Migration } from '../migration.ts'

/** Columns of items that lists are sorted or filtered by, within their team. */
const ITEM_COLUMNS = [
  'claims_hash',
  'metadata_hash',
  'item_hash',
  'hash',
  'state',
  'visibility',
  'display_name',
  'creator_id',
  'block_id',
  'committed_at',
  'expires_at',
  'inserted_at',
  'updated_at',
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
      -- outcome holds ids and refusals, never claims: redaction does not look here.
      CREATE TABLE idempotency_keys (
        user_id text COLLATE "C" NOT NULL REFERENCES users (id),
        key text COLLATE "C" NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
        request_hash bytea NOT NULL CHECK (length(request_hash) = 32),
        outcome text NOT NULL,
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        PRIMARY KEY (user_id, key)
      )`)
    this.addSql(`CREATE INDEX idempotency_keys_age ON idempotency_keys USING brin (inserted_at)`)
    for (const column of ITEM_COLUMNS)
      this.addSql(`CREATE INDEX items_${column} ON items (team_id, ${column}, id)`)
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
