// How long the last attempt at an endpoint took, so that receivers that hang are told from those that answer.
import { Migration } from '../migration.ts'

export class Migration0017WebhookDurations extends Migration {
  override up(): void {
    // Milliseconds. Null before the first attempt at its URL.
    this.addSql(`ALTER TABLE webhook_endpoints ADD COLUMN last_duration_ms int`)
  }
}
