// The built-in receiver for trials of webhooks: its addresses, and what arrived there.
import { Migration } from '../migration.ts'

export class Migration0015WebhookReceiver extends Migration {
  override up(): void {
    this.addSql(`
      -- An address of one account. The token is the path of its URL, so it stands in the URLs of endpoints as well.
      CREATE TABLE receiver_addresses (
        token text COLLATE "C" PRIMARY KEY,
        user_id text COLLATE "C" NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        answers text NOT NULL DEFAULT 'ok' CHECK (answers IN ('ok', 'error', 'slow', 'never')),
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        expires_at timestamptz(3) NOT NULL
      )`)
    this.addSql(`CREATE INDEX receiver_addresses_user ON receiver_addresses (user_id)`)
    this.addSql(`CREATE INDEX receiver_addresses_expires_at ON receiver_addresses (expires_at)`)
    this.addSql(`
      -- A request that arrived. Values of headers that may be secret are not stored.
      CREATE TABLE receiver_requests (
        id text COLLATE "C" PRIMARY KEY,
        token text COLLATE "C" NOT NULL REFERENCES receiver_addresses (token) ON DELETE CASCADE,
        at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        method text NOT NULL,
        headers jsonb NOT NULL,
        body text NOT NULL,
        body_bytes int NOT NULL,
        -- The delivery of the same account that it is an attempt of, and its endpoint.
        delivery_id text COLLATE "C",
        endpoint_id text COLLATE "C",
        secret text NOT NULL CHECK (secret IN ('none', 'matches', 'differs', 'missing', 'unknown')),
        answered text NOT NULL CHECK (answered IN ('ok', 'error', 'slow', 'never'))
      )`)
    this.addSql(`CREATE INDEX receiver_requests_token ON receiver_requests (token, id)`)
    this.addSql(`CREATE INDEX receiver_requests_at ON receiver_requests (at)`)
  }
}
