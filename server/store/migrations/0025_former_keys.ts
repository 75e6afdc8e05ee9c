// When the earlier keys of an endpoint end, so that its owner is told without opening them.
import { Migration } from '../migration.ts'

export class Migration0025FormerKeys extends Migration {
  override up(): void {
    this.addSql(`ALTER TABLE webhook_endpoints ADD COLUMN former_until timestamptz`)
  }
}
