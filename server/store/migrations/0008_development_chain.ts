// The development Bitcoin chain: blocks, transactions, and the outputs that can still be spent.
import { Migration } from '../migration.ts'

/** Every hash is in internal byte order, as in headers and transactions. Display order is the reverse. */
export class Migration0008DevelopmentChain extends Migration {
  override up(): void {
    this.addSql(`
      -- active is true when the block is on the active chain.
      CREATE TABLE development_blocks (
        hash bytea PRIMARY KEY CHECK (length(hash) = 32),
        previous_hash bytea REFERENCES development_blocks (hash),
        height int NOT NULL CHECK (height >= 0),
        time bigint NOT NULL,
        header bytea NOT NULL CHECK (length(header) = 80),
        transaction_ids bytea[] NOT NULL CHECK (cardinality(transaction_ids) > 0),
        active boolean NOT NULL DEFAULT false,
        CHECK ((previous_hash IS NULL) = (height = 0))
      )`)
    this.addSql(`CREATE UNIQUE INDEX development_blocks_active ON development_blocks (height) WHERE active`)
    this.addSql(`
      -- pool: waits for a block. chain: is in an active block. out: was replaced, or its input is gone. It may come
      -- back. A parent always arrives before its children, so a block may contain transactions in the order of
      -- arrival.
      CREATE TABLE development_transactions (
        txid bytea PRIMARY KEY CHECK (length(txid) = 32),
        arrival bigint GENERATED ALWAYS AS IDENTITY,
        arrived_at timestamptz(3) NOT NULL DEFAULT pharos_now(),
        raw bytea NOT NULL,
        coinbase boolean NOT NULL,
        fee bigint NOT NULL CHECK (fee >= 0),
        weight int NOT NULL CHECK (weight > 0),
        standing text COLLATE "C" NOT NULL CHECK (standing IN ('pool', 'chain', 'out')),
        block_hash bytea REFERENCES development_blocks (hash),
        height int,
        CHECK ((standing = 'chain') = (block_hash IS NOT NULL AND height IS NOT NULL))
      )`)
    this.addSql(
      `CREATE INDEX development_transactions_pool ON development_transactions (arrival) WHERE standing = 'pool'`,
    )
    this.addSql(`
      CREATE TABLE development_inputs (
        spender bytea NOT NULL REFERENCES development_transactions (txid),
        position int NOT NULL,
        txid bytea NOT NULL,
        n bigint NOT NULL,
        PRIMARY KEY (spender, position)
      )`)
    this.addSql(`CREATE INDEX development_inputs_spent ON development_inputs (txid, n)`)
    this.addSql(`
      -- live is true when the output's transaction is in the pool or on the chain. spent_by is the one such
      -- transaction that spends it. Outputs that can never be spent have no row.
      CREATE TABLE development_outputs (
        txid bytea NOT NULL REFERENCES development_transactions (txid),
        n bigint NOT NULL,
        amount bigint NOT NULL CHECK (amount >= 0),
        script bytea NOT NULL,
        live boolean NOT NULL DEFAULT false,
        spent_by bytea REFERENCES development_transactions (txid),
        PRIMARY KEY (txid, n),
        CHECK (live OR spent_by IS NULL)
      )`)
    this.addSql(
      `CREATE INDEX development_outputs_unspent ON development_outputs (script, amount DESC, txid, n)
        WHERE live AND spent_by IS NULL`,
    )
  }
}
