// What the public log has signed and the ledger lost, so that every server knows it when one does.
import { Migration } from '../migration.ts'

export class Migration0016MissingCheckpoints extends Migration {
  override up(): void {
    this.addSql(`
      -- A signed note of a log: a checkpoint that the ledger does not extend. A server that has seen it signed writes it,
      -- and while it is missing, no server makes a block. Whoever reads it judges it by its signature alone.
      CREATE TABLE missing_checkpoints (
        log int PRIMARY KEY REFERENCES log_keys (number),
        note text NOT NULL CHECK (octet_length(note) <= 4096),
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now()
      )`)
  }
}
