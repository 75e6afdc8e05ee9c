// Rounds: items that each stand for the many digests that arrived together.
import { Migration } from '../migration.ts'

export class Migration0020AggregationRounds extends Migration {
  override up(): void {
    this.addSql(`
      -- An account without an address is the service's own, to which rounds belong. It is disabled for good.
      ALTER TABLE users ALTER COLUMN email DROP NOT NULL,
        ADD CHECK (email IS NOT NULL OR disabled_at IS NOT NULL)`)
    this.addSql(`CREATE SEQUENCE aggregation_round_numbers`)
    this.addSql(`
      -- Written with the item, in its transaction. own_bytes are the value of the round's first entry. token_hashes are
      -- those of the others, where they are time-stamp tokens: from both the leaves are computed again.
      CREATE TABLE aggregation_rounds (
        number bigint PRIMARY KEY CHECK (number > 0),
        item_id text COLLATE "C" NOT NULL UNIQUE REFERENCES items (id),
        root bytea NOT NULL UNIQUE CHECK (length(root) = 32),
        size int NOT NULL CHECK (size BETWEEN 2 AND 65536),
        own_bytes bytea NOT NULL CHECK (length(own_bytes) = 32),
        token_hashes bytea CHECK (length(token_hashes) = 32 * (size - 1))
      )`)
    this.addSql(`ALTER TABLE aggregation_rounds ALTER COLUMN token_hashes SET STORAGE EXTERNAL`)
  }
}
