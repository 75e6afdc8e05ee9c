// Witnesses of the public log: what each has seen, what they have cosigned, and who asks them at the moment.
import { Migration } from '../migration.ts'

export class Migration0013Witnesses extends Migration {
  override up(): void {
    this.addSql(`
      -- A witness by its key, written name+id. seen_size is the size that it has cosigned last, by its own word.
      CREATE TABLE witnesses (
        log int NOT NULL REFERENCES log_keys (number),
        key text COLLATE "C" NOT NULL,
        seen_size int NOT NULL DEFAULT 0 CHECK (seen_size >= 0),
        cosigned_at timestamptz(3),
        -- The first round in which it did not cosign, after the last one in which it did, and why.
        missing_since timestamptz(3),
        trouble text,
        PRIMARY KEY (log, key),
        CHECK ((missing_since IS NULL) = (trouble IS NULL))
      )`)
    this.addSql(`
      -- Verified cosignatures of a checkpoint: eight bytes of time, then the signature by Ed25519 or by ML-DSA-44.
      CREATE TABLE witness_cosignatures (
        log int NOT NULL,
        size int NOT NULL,
        key text COLLATE "C" NOT NULL,
        cosignature bytea NOT NULL CHECK (length(cosignature) IN (72, 2428)),
        PRIMARY KEY (log, size, key),
        FOREIGN KEY (log, size) REFERENCES log_checkpoints
      )`)
    this.addSql(`
      -- Who asks the witnesses of a log, for which size, until when. Without a holder it says when the same size is
      -- offered again.
      CREATE TABLE witness_rounds (
        log int PRIMARY KEY REFERENCES log_keys (number),
        holder text,
        size int NOT NULL,
        until timestamptz(3) NOT NULL
      )`)
  }
}
