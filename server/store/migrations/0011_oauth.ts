// Clients, browser sessions, what people allowed applications to do, and what those were given for it.
import { Migration } from '../migration.ts'

export class Migration0011OAuth extends Migration {
  override up(): void {
    this.addSql(`
      -- Clients that an operator or a client itself registered. One that nobody used expires.
      CREATE TABLE oauth_clients (
        id text COLLATE "C" PRIMARY KEY,
        registered_by text NOT NULL CHECK (registered_by IN ('operator', 'client')),
        name text NOT NULL,
        redirect_uris text[] NOT NULL,
        auth_method text NOT NULL CHECK (auth_method IN ('none', 'client_secret_basic', 'client_secret_post')),
        secret_hash bytea CHECK (length(secret_hash) = 32),
        -- Where it was registered from, so that one address cannot push out the clients of others.
        address text COLLATE "C" NOT NULL DEFAULT '',
        granted_at timestamptz(3),
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        expires_at timestamptz(3),
        CHECK ((auth_method = 'none') = (secret_hash IS NULL))
      )`)
    this.addSql(`
      CREATE INDEX oauth_clients_unused ON oauth_clients (inserted_at, id)
      WHERE granted_at IS NULL AND registered_by = 'client'`)
    this.addSql(`
      CREATE INDEX oauth_clients_unused_of ON oauth_clients (address, inserted_at, id)
      WHERE granted_at IS NULL AND registered_by = 'client'`)
    this.addSql(`CREATE INDEX oauth_clients_expires_at ON oauth_clients (expires_at)`)
    this.addSql(`
      -- A browser in which somebody signed in. What its cookie holds is stored as its SHA-256, and changes while the
      -- session goes on. Deleting it ends the tokens that are bound to it.
      CREATE TABLE oauth_sessions (
        id text COLLATE "C" PRIMARY KEY,
        cookie_hash bytea UNIQUE CHECK (length(cookie_hash) = 32),
        user_id text COLLATE "C" NOT NULL REFERENCES users (id),
        payload jsonb NOT NULL,
        user_agent text NOT NULL DEFAULT '',
        address text NOT NULL DEFAULT '',
        last_used_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        expires_at timestamptz(3) NOT NULL
      )`)
    this.addSql(`CREATE INDEX oauth_sessions_user ON oauth_sessions (user_id, id)`)
    this.addSql(`CREATE INDEX oauth_sessions_expires_at ON oauth_sessions (expires_at)`)
    this.addSql(`
      -- A grant is what one person allowed one client. Deleting it ends every token that came from it.
      CREATE TABLE oauth_grants (
        id text COLLATE "C" PRIMARY KEY,
        user_id text COLLATE "C" NOT NULL REFERENCES users (id),
        client_id text COLLATE "C" NOT NULL,
        -- As they were when the person agreed.
        client_name text NOT NULL DEFAULT '',
        redirect_host text NOT NULL DEFAULT '',
        scopes text[] NOT NULL DEFAULT '{}',
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
        -- The session that the token ends with, if it does.
        session_id text COLLATE "C" REFERENCES oauth_sessions (id) ON DELETE CASCADE,
        user_id text COLLATE "C" NOT NULL REFERENCES users (id),
        client_id text COLLATE "C" NOT NULL,
        resource text NOT NULL CHECK (resource IN ('api', 'mcp')),
        scopes text[] NOT NULL,
        payload text NOT NULL,
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        expires_at timestamptz(3) NOT NULL
      )`)
    this.addSql(`CREATE INDEX oauth_access_tokens_grant ON oauth_access_tokens (grant_id)`)
    this.addSql(`
      CREATE INDEX oauth_access_tokens_session ON oauth_access_tokens (session_id) WHERE session_id IS NOT NULL`)
    this.addSql(`CREATE INDEX oauth_access_tokens_expires_at ON oauth_access_tokens (expires_at)`)
    this.addSql(`
      CREATE TRIGGER notify_account_change AFTER UPDATE OR DELETE ON oauth_access_tokens
      FOR EACH STATEMENT EXECUTE FUNCTION notify_account_change()`)
    this.addSql(`
      -- Codes, refresh tokens and authorization requests that wait for the person, each as the SHA-256 of what names
      -- it. A used one stays until it expires, so that using it again is noticed.
      CREATE TABLE oauth_tickets (
        kind text NOT NULL CHECK (kind IN ('code', 'refresh_token', 'interaction')),
        id_hash bytea NOT NULL CHECK (length(id_hash) = 32),
        grant_id text COLLATE "C" REFERENCES oauth_grants (id) ON DELETE CASCADE,
        session_id text COLLATE "C" REFERENCES oauth_sessions (id) ON DELETE CASCADE,
        payload text NOT NULL,
        -- Where an authorization request came from, so that one address cannot push out those of others.
        address text COLLATE "C" NOT NULL DEFAULT '',
        consumed_at timestamptz(3),
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        expires_at timestamptz(3) NOT NULL,
        PRIMARY KEY (kind, id_hash),
        CHECK ((kind = 'interaction') = (grant_id IS NULL))
      )`)
    this.addSql(`CREATE INDEX oauth_tickets_grant ON oauth_tickets (grant_id) WHERE grant_id IS NOT NULL`)
    this.addSql(
      `CREATE INDEX oauth_tickets_session ON oauth_tickets (session_id) WHERE session_id IS NOT NULL`,
    )
    this.addSql(
      `CREATE INDEX oauth_tickets_waiting ON oauth_tickets (inserted_at) WHERE kind = 'interaction'`,
    )
    this.addSql(
      `CREATE INDEX oauth_tickets_waiting_of ON oauth_tickets (address, inserted_at) WHERE kind = 'interaction'`,
    )
    this.addSql(`CREATE INDEX oauth_tickets_expires_at ON oauth_tickets (expires_at)`)
  }
}
