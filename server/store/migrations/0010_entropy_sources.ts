// Whose turn it was to ask a public source, and how it has been doing: shared by all servers.
import { Migration } from '../migration.ts'

export class Migration0010EntropySources extends Migration {
  override up(): void {
    this.addSql(`
      -- slot: the minute it was last asked for, counted from 1970.
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
