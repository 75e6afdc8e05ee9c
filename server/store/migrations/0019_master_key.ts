// Which master key is in force.
import { Migration } from '../migration.ts'

export class Migration0019MasterKey extends Migration {
  override up(): void {
    this.addSql(`
      -- The fingerprint of the key under which everything sealed is sealed. No row before anything is; the first start
      -- of this version with a ledger of before adds it.
      CREATE TABLE master_key (
        single boolean PRIMARY KEY DEFAULT true CHECK (single),
        fingerprint text COLLATE "C" NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{16}$')
      )`)
  }
}
