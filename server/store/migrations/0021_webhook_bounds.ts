// What bounds the requests to an endpoint: how many a second its owner wants, and that its receiver is gone.
import { Migration } from '../migration.ts'

export class Migration0021WebhookBounds extends Migration {
  override up(): void {
    // Null: as many as it answers.
    this.addSql(
      `ALTER TABLE webhook_endpoints ADD COLUMN max_per_second int CHECK (max_per_second BETWEEN 1 AND 1000)`,
    )
    this.addSql(`
      ALTER TABLE webhook_endpoints DROP CONSTRAINT webhook_endpoints_disabled_reason_check,
        ADD CONSTRAINT webhook_endpoints_disabled_reason_check
            CHECK (disabled_reason IN ('manual', 'failing', 'gone'))`)
  }
}
