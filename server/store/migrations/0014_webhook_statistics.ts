// The index that the statistics of a webhook endpoint are read from.
import { Migration } from '../migration.ts'

export class Migration0014WebhookStatistics extends Migration {
  override up(): void {
    this.addSql(`
      -- The deliveries of an endpoint by the time when they were made, with all that is counted. So a delivery costs a
      -- day's statistics a few dozen bytes of this index, and not the page of the table that holds its payload.
      CREATE INDEX webhook_deliveries_outcomes ON webhook_deliveries (endpoint_id, inserted_at)
      INCLUDE (status, attempts, duration_ms)`)
  }
}
