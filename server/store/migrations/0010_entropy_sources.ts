// Which minute each public source was last read for, and whether it fails. All servers share this table.
import { Migration } from '../migration.ts'

export class Migration0010EntropySources extends Migration {
  override up(): void {
    this.addSql(`
      -- slot is the minute for which the source was last read, counted from 1970.
      CREATE TABLE entropy_sources (
        source text COLLATE "C" PRIMARY KEY CHECK (source LIKE 'entropy\\_%'),
        slot bigint NOT NULL,
        answered_at timestamptz(3),
        failing_since timestamptz(3),
        failure text COLLATE "C",
        CHECK ((failing_since IS NULL) = (failure IS NULL))
      )`)
  }
}
