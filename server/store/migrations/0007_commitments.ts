// Commitments to public chains: the series, their epochs, the commitments, every signed transaction, and the
// evidence.
import { Migration } from '../migration.ts'

export class Migration0007Commitments extends Migration {
  override up(): void {
    this.addSql(`
      -- One row per public chain and network that ever had epochs. The server with the lease works on the series. The
      -- lease only avoids double work, because every step has its own guard.
      CREATE TABLE epoch_series (
        chain text COLLATE "C" NOT NULL CHECK (length(chain) BETWEEN 1 AND 32),
        network text COLLATE "C" NOT NULL,
        lease text COLLATE "C",
        leased_until timestamptz(3) NOT NULL DEFAULT '-infinity',
        answered_at timestamptz(3),
        PRIMARY KEY (chain, network)
      )`)
    this.addSql(`
      -- A chain that could not be used at the last try, and since when. There is no row while the chain works. The
      -- network is not a column, because it may be unknown.
      CREATE TABLE chain_troubles (
        chain text COLLATE "C" PRIMARY KEY CHECK (length(chain) BETWEEN 1 AND 32),
        why text COLLATE "C" NOT NULL,
        since timestamptz(3) NOT NULL DEFAULT pharos_now()
      )`)
    this.addSql(`
      CREATE TABLE epochs (
        id text COLLATE "C" PRIMARY KEY,
        chain text COLLATE "C" NOT NULL,
        network text COLLATE "C" NOT NULL,
        sequence int NOT NULL CHECK (sequence >= 0),
        root bytea NOT NULL CHECK (length(root) = 32),
        first_block_id text COLLATE "C" NOT NULL REFERENCES blocks (id),
        last_block_id text COLLATE "C" NOT NULL REFERENCES blocks (id),
        block_count int NOT NULL CHECK (block_count > 0),
        closed_at timestamptz(3) NOT NULL,
        UNIQUE (chain, network, sequence),
        FOREIGN KEY (chain, network) REFERENCES epoch_series (chain, network),
        CHECK (first_block_id <= last_block_id)
      )`)
    this.addSql(`CREATE INDEX epochs_holding ON epochs (chain, network, last_block_id)`)
    this.addSql(`CREATE INDEX epochs_sequence ON epochs (sequence, id)`)
    this.addSql(`CREATE INDEX epochs_chain ON epochs (chain, id)`)
    this.addSql(`CREATE INDEX epochs_root ON epochs (root)`)
    this.addSql(`CREATE INDEX epochs_closed_at ON epochs (closed_at, id)`)
    this.addSql(`
      -- look_at is the time of the next look. It is null when no look is needed any more.
      CREATE TABLE commitments (
        id text COLLATE "C" PRIMARY KEY,
        epoch_id text COLLATE "C" NOT NULL UNIQUE REFERENCES epochs (id),
        chain text COLLATE "C" NOT NULL,
        network text COLLATE "C" NOT NULL,
        state text COLLATE "C" NOT NULL CHECK (state IN ('pending', 'submitted', 'confirmed', 'failed')),
        epoch_root bytea NOT NULL CHECK (length(epoch_root) = 32),
        signing_key_id bytea NOT NULL REFERENCES signing_keys (key_id),
        transaction_hash bytea CHECK (length(transaction_hash) = 32),
        commitment_hash bytea CHECK (length(commitment_hash) = 32),
        ledger int,
        block_height int,
        confirmed_at timestamptz(3),
        attempts int NOT NULL DEFAULT 0,
        error text,
        look_at timestamptz(3),
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        updated_at timestamptz(3) NOT NULL DEFAULT pharos_now()
      )`)
    for (const column of ['chain', 'state', 'epoch_root', 'transaction_hash', 'confirmed_at'])
      this.addSql(`CREATE INDEX commitments_${column} ON commitments (${column}, id)`)
    this.addSql(
      `CREATE INDEX commitments_due ON commitments (chain, network, look_at) WHERE look_at IS NOT NULL`,
    )
    this.addSql(
      `CREATE INDEX commitments_unconfirmed ON commitments (chain, network, id) WHERE state <> 'confirmed'`,
    )
    this.addSql(`
      -- Every transaction that was ever signed for a commitment, with its exact bytes. A transaction is stored before
      -- it is sent and never changed. A later one spends an input of an earlier one, so at most one is included, and
      -- it is in this table. sent_at is the time when the chain last accepted it.
      CREATE TABLE commitment_transactions (
        commitment_id text COLLATE "C" NOT NULL REFERENCES commitments (id),
        number int NOT NULL CHECK (number > 0),
        transaction_hash bytea NOT NULL CHECK (length(transaction_hash) = 32),
        bytes bytea NOT NULL CHECK (length(bytes) BETWEEN 1 AND 65536),
        sent_at timestamptz(3),
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        PRIMARY KEY (commitment_id, number)
      )`)
    this.addSql(`
      -- The proof of a confirmed transaction for bundles. Deleted when a reorganisation removes the transaction.
      CREATE TABLE commitment_evidence (
        commitment_id text COLLATE "C" PRIMARY KEY REFERENCES commitments (id),
        chain_time timestamptz(3) NOT NULL,
        block_hash bytea CHECK (length(block_hash) = 32),
        block_merkle_root bytea CHECK (length(block_merkle_root) = 32),
        raw_transaction bytea,
        txoutproof bytea,
        inserted_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        CHECK (num_nulls(block_hash, block_merkle_root, raw_transaction, txoutproof) IN (0, 4))
      )`)
    this.addSql(`
      -- A commitment as events show it.
      CREATE FUNCTION commitment_snapshot(c commitments) RETURNS jsonb LANGUAGE sql STABLE AS $$
        SELECT jsonb_build_object(
          'id', c.id, 'chain', c.chain, 'network', c.network, 'state', c.state, 'epoch_id', c.epoch_id,
          'epoch_root', encode(c.epoch_root, 'hex'), 'transaction_hash', encode(c.transaction_hash, 'hex'),
          'commitment_hash', encode(c.commitment_hash, 'hex'), 'ledger', c.ledger,
          'block_height', c.block_height, 'confirmed_at', iso_time(c.confirmed_at), 'attempts', c.attempts,
          'error', c.error)
      $$`)
  }
}
