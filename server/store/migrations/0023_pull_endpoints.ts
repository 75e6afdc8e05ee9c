// Endpoints that are asked instead of called, and the order in which their deliveries are read.
import { Migration } from '../migration.ts'

export class Migration0023PullEndpoints extends Migration {
  override up(): void {
    this.addSql(`
      ALTER TABLE webhook_endpoints
        ADD COLUMN kind text COLLATE "C" NOT NULL DEFAULT 'push' CHECK (kind IN ('push', 'pull')),
        ALTER COLUMN url DROP NOT NULL,
        ADD CHECK ((kind = 'pull') = (url IS NULL)),
        ADD CHECK (kind = 'push' OR (sealed_auth_secret IS NULL AND sealed_custom_headers IS NULL))`)
    this.addSql(`
      -- The transaction that made the delivery, of those that wait to be read. They have no next attempt.
      ALTER TABLE webhook_deliveries ADD COLUMN pull_xid xid8, DROP CONSTRAINT webhook_deliveries_check`)
    this.addSql(`
      -- NOT VALID, because every row satisfied the one before, and looking again would hold up deliveries.
      ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_check
      CHECK ((status = 'pending' AND pull_xid IS NULL) = (next_attempt_at IS NOT NULL)) NOT VALID`)
    this.addSql(`
      CREATE INDEX webhook_deliveries_pull ON webhook_deliveries (endpoint_id, pull_xid, id)
      WHERE pull_xid IS NOT NULL`)
  }
}
