// What people allowed applications to do, and the access tokens that they were given for it.
import { Migration } from '../migration.ts'

export class Migration0011OAuth extends Migration {
  override up(): void {
    this.addSql(`
      -- A grant is what one person allowed one client. Deleting it ends every token that came from it.
      CREATE TABLE oauth_grants (
        id text COLLATE "C" PRIMARY KEY,
        user_id text COLLATE "C" NOT NULL REFERENCES users (id),
        client_id text COLLATE "C" NOT NULL,
        payload text NOT NULL,
        last_used_at timestamptz(3),
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        expires_at timestamptz(3) NOT NULL
      )`)
    this.addSql(`CREATE INDEX oauth_grants_user ON oauth_grants (user_id, id)`)
    this.addSql(`CREATE INDEX oauth_grants_client ON oauth_grants (client_id)`)
    this.addSql(`CREATE INDEX oauth_grants_expires_at ON oauth_grants (expires_at)`)
    this.addSql(`
      -- The token is stored as its SHA-256. The id names it in logs and in the memory of open connections.
      CREATE TABLE oauth_access_tokens (
        id text COLLATE "C" PRIMARY KEY,
        token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
        grant_id text COLLATE "C" NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
        user_id text COLLATE "C" NOT NULL REFERENCES users (id),
        client_id text COLLATE "C" NOT NULL,
        resource text NOT NULL CHECK (resource IN ('api', 'mcp')),
        scopes text[] NOT NULL,
        payload text NOT NULL,
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        expires_at timestamptz(3) NOT NULL
      )`)
    this.addSql(`CREATE INDEX oauth_access_tokens_grant ON oauth_access_tokens (grant_id)`)
    this.addSql(`CREATE INDEX oauth_access_tokens_expires_at ON oauth_access_tokens (expires_at)`)
    this.addSql(`
      CREATE TRIGGER notify_account_change AFTER UPDATE OR DELETE ON oauth_access_tokens
      FOR EACH STATEMENT EXECUTE FUNCTION notify_account_change()`)
  }
}
