// Users, teams, memberships with their invitations, API keys, and the operator's switches.
import { Migration } from '../migration.ts'

export class Migration0002Accounts extends Migration {
  override up(): void {
    this.addSql(`
      CREATE TABLE users (
        id text COLLATE "C" PRIMARY KEY,
        email text COLLATE "C" NOT NULL UNIQUE CHECK (email = lower(email)),
        first_name text COLLATE "C" NOT NULL DEFAULT '',
        last_name text COLLATE "C" NOT NULL DEFAULT '',
        plan text NOT NULL CHECK (plan IN ('free', 'developer', 'business', 'enterprise')),
        -- A disabled account keeps its rows, but none of its credentials is valid.
        disabled_at timestamptz(3),
        default_team_id text COLLATE "C",
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        updated_at timestamptz(3) NOT NULL DEFAULT pharos_now()
      )`)
    this.addSql(`
      -- A table of its own, so that no list of users reads a hash. An account without a row has no password.
      CREATE TABLE passwords (
        user_id text COLLATE "C" PRIMARY KEY REFERENCES users (id),
        -- argon2id in its standard text form.
        hash text NOT NULL,
        changed_at timestamptz(3) NOT NULL DEFAULT pharos_now()
      )`)
    this.addSql(`
      -- The open one-time link of an account. Using, withdrawing or replacing it changes the row.
      CREATE TABLE password_resets (
        user_id text COLLATE "C" PRIMARY KEY REFERENCES users (id),
        token_hash bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
        expires_at timestamptz(3) NOT NULL
      )`)
    this.addSql(`CREATE INDEX password_resets_expires_at ON password_resets (expires_at)`)
    this.addSql(`
      CREATE TABLE teams (
        id text COLLATE "C" PRIMARY KEY,
        name text COLLATE "C" NOT NULL,
        personal_user_id text COLLATE "C" UNIQUE REFERENCES users (id),
        ownership_model text NOT NULL DEFAULT 'creator_retains'
          CHECK (ownership_model IN ('creator_retains', 'team_retains')),
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        updated_at timestamptz(3) NOT NULL DEFAULT pharos_now()
      )`)
    this.addSql(
      `ALTER TABLE users ADD FOREIGN KEY (default_team_id) REFERENCES teams (id) ON DELETE SET NULL`,
    )
    this.addSql(`
      -- A membership without a user is an invitation. It gives access to no one, because NULL equals no user.
      CREATE TABLE memberships (
        id text COLLATE "C" PRIMARY KEY,
        team_id text COLLATE "C" NOT NULL REFERENCES teams (id),
        user_id text COLLATE "C" REFERENCES users (id),
        role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'viewer')),
        state text NOT NULL GENERATED ALWAYS AS (CASE WHEN user_id IS NULL THEN 'invited' ELSE 'active' END) STORED,
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        updated_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        UNIQUE (user_id, team_id)
      )`)
    this.addSql(`CREATE INDEX memberships_team ON memberships (team_id, user_id)`)
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
      CREATE TABLE api_keys (
        id text COLLATE "C" PRIMARY KEY,
        user_id text COLLATE "C" NOT NULL REFERENCES users (id),
        name text NOT NULL,
        prefix text NOT NULL,
        secret_hash bytea NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
        last_used_at timestamptz(3),
        expires_at timestamptz(3),
        revoked_at timestamptz(3),
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        updated_at timestamptz(3) NOT NULL DEFAULT pharos_now()
      )`)
    this.addSql(`CREATE INDEX api_keys_user ON api_keys (user_id, id)`)
    this.addSql(`
      CREATE INDEX api_keys_ended ON api_keys (least(revoked_at, expires_at))
      WHERE revoked_at IS NOT NULL OR expires_at IS NOT NULL`)
    this.addSql(`
      CREATE TABLE feature_flags (
        name text COLLATE "C" PRIMARY KEY,
        enabled boolean NOT NULL,
        updated_at timestamptz(3) NOT NULL DEFAULT pharos_now()
      )`)
    this.addSql(`
      -- Servers cache callers and teams for a short time. Any change of these tables makes every server clear its
      -- cache.
      CREATE FUNCTION notify_account_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_notify('pharos_account', '');
          RETURN NULL;
        END
      $$`)
    for (const event of [
      'UPDATE OF user_id, secret_hash, expires_at, revoked_at OR DELETE ON api_keys',
      'UPDATE OR DELETE ON users',
      'UPDATE OR DELETE ON teams',
      'INSERT OR UPDATE OR DELETE ON memberships',
    ])
      this.addSql(`
        CREATE TRIGGER notify_account_change AFTER ${event}
        FOR EACH STATEMENT EXECUTE FUNCTION notify_account_change()`)
  }
}
