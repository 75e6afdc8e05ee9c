// Stores transactions with the outputs that they make and spend, and tells which coins can be spent.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import {
  type Transaction,
  type TransactionInput,
  transactionHash,
  writeTransaction,
} from '../../shared/proof/bitcoin/transaction.ts'
import { bool, bytes, float8, int4, nullable, type RowOf } from '../store/columns.ts'
import { TABLES } from '../store/database.ts'
import { change, command, db, firstRow, rows, statement } from '../store/statement.ts'

const TRANSACTION_ROW = {
  txid: bytes,
  raw: bytes,
  /** Satoshis. */
  fee: float8,
  standing: TABLES.development_transactions.standing,
  blockHash: nullable(bytes),
  height: nullable(int4),
}

export type StoredTransaction = RowOf<typeof TRANSACTION_ROW>

const SELECT = sql`
  SELECT txid, raw, fee::float8 AS fee, standing, block_hash AS "blockHash", height FROM development_transactions`

export const transactionById = (
  em: EntityManager,
  txid: Uint8Array,
): Promise<StoredTransaction | undefined> => firstRow(em, BY_ID({ txid }))

const BY_ID = statement(
  TRANSACTION_ROW,
  ({ txid }: { txid: Uint8Array }) => sql`${SELECT} WHERE txid = ${txid}`,
)

/** Parents arrive before their children, so they come first. */
export const oldestOfPool = (em: EntityManager, most: number): Promise<readonly StoredTransaction[]> =>
  rows(em, OLDEST_OF_POOL({ most }))

const OLDEST_OF_POOL = statement(
  TRANSACTION_ROW,
  ({ most }: { most: number }) => sql`${SELECT} WHERE standing = 'pool' ORDER BY arrival LIMIT ${most}`,
)

/** The output of a coinbase can be spent this many blocks later. */
export const COINBASE_MATURITY = 100

/** Whether the output of `t` may be spent in the next block. */
const IS_RIPE = sql`coalesce(
  NOT t.coinbase OR t.height <= (SELECT max(height) FROM development_blocks WHERE active) + 1 - ${sql.lit(COINBASE_MATURITY)},
  false)`

/** The output that an input spends. The hash is in internal byte order. */
type Outpoint = Pick<TransactionInput, 'previousTransaction' | 'previousOutput'>

const COIN_ROW = {
  amount: float8,
  script: bytes,
  /** Whether its own transaction is in the pool or in an active block. */
  live: bool,
  isRipe: bool,
  spentBy: nullable(bytes),
  /** Height of the transaction that spends the coin. Null when that transaction is not in an active block. */
  spenderHeight: nullable(int4),
  /** Null while the coin's own transaction is not in an active block. */
  height: nullable(int4),
}

export type Coin = RowOf<typeof COIN_ROW>

/** Undefined when there is no such output or it can never be spent. */
export const coinAt = (em: EntityManager, outpoint: Outpoint): Promise<Coin | undefined> =>
  firstRow(em, COIN_AT(outpoint))

/** Reads by primary key only. */
const COIN_AT = statement(
  COIN_ROW,
  ({ previousTransaction, previousOutput }: Outpoint) => sql`
  SELECT o.amount::float8 AS amount, o.script, o.live, ${IS_RIPE} AS "isRipe", o.spent_by AS "spentBy",
         s.height AS "spenderHeight", t.height
    FROM development_outputs o
    JOIN development_transactions t ON t.txid = o.txid
    LEFT JOIN development_transactions s ON s.txid = o.spent_by
   WHERE o.txid = ${previousTransaction} AND o.n = ${previousOutput}`,
)

/** Where the largest coin is that this script can spend now. Reads an index of unspent outputs. */
export const largestCoin = (em: EntityManager, script: Uint8Array): Promise<Outpoint | undefined> =>
  firstRow(em, LARGEST_COIN({ script }))

const LARGEST_COIN = statement(
  { previousTransaction: bytes, previousOutput: float8 },
  ({ script }: { script: Uint8Array }) => sql`
  SELECT o.txid AS "previousTransaction", o.n::float8 AS "previousOutput"
    FROM development_outputs o JOIN development_transactions t ON t.txid = o.txid
   WHERE o.script = ${script} AND o.live AND o.spent_by IS NULL AND ${IS_RIPE}
   ORDER BY o.amount DESC, o.txid, o.n LIMIT 1`,
)

/** The empty reference in the input of a coinbase. */
export const NOWHERE: Outpoint = { previousTransaction: new Uint8Array(32), previousOutput: 0xffff_ffff }

const isFromSomewhere = ({ previousTransaction, previousOutput }: Outpoint): boolean =>
  previousOutput !== NOWHERE.previousOutput || previousTransaction.some((byte) => byte !== 0)

const OP_RETURN = 0x6a

/** The heaviest transaction of the pool, in weight units. */
export const MOST_WEIGHT = 4_000

/** Weight units (BIP141). Bytes without witnesses count four times, witness bytes once. */
export const weightOf = (transaction: Transaction): number => {
  const inputs = transaction.inputs.map((input) => ({ ...input, witness: [] }))
  return 3 * writeTransaction({ ...transaction, inputs }).length + writeTransaction(transaction).length
}

/**
 * Stores the transactions with their inputs and outputs. Each stands `out` until it is put into the pool or a block.
 */
export async function insertTransactions(
  em: EntityManager,
  arrivals: readonly { readonly transaction: Transaction; readonly fee: number }[],
): Promise<void> {
  const named = arrivals.map((arrival) => ({
    ...arrival,
    txid: transactionHash(arrival.transaction),
    spent: arrival.transaction.inputs.filter(isFromSomewhere),
  }))
  await db(em)
    .insertInto('development_transactions')
    .values(
      named.map(({ transaction, fee, txid, spent }) => ({
        txid,
        raw: writeTransaction(transaction),
        coinbase: spent.length === 0,
        fee,
        weight: weightOf(transaction),
        standing: 'out',
      })),
    )
    .execute()
  const inputs = named.flatMap(({ txid, spent }) =>
    spent.map((input, position) => ({
      spender: txid,
      position,
      txid: input.previousTransaction,
      n: input.previousOutput,
    })),
  )
  if (inputs.length > 0) await db(em).insertInto('development_inputs').values(inputs).execute()
  // Outputs that carry data have no row: they can never be spent.
  const outputs = named.flatMap(({ transaction, txid }) =>
    transaction.outputs
      .map(({ value, script }, n) => ({ txid, n, amount: value, script }))
      .filter(({ script }) => script[0] !== OP_RETURN),
  )
  if (outputs.length > 0) await db(em).insertInto('development_outputs').values(outputs).execute()
}

interface These {
  readonly txids: readonly Uint8Array[]
}

/** The caller must have checked that the inputs are free. */
export async function putIntoPool(em: EntityManager, txids: readonly Uint8Array[]): Promise<void> {
  await change(em, PUT_INTO_POOL({ txids }))
  await claimOutputs(em, txids)
}

const PUT_INTO_POOL = command(
  ({ txids }: These) =>
    sql`UPDATE development_transactions SET standing = 'pool' WHERE txid = ANY(${txids}::bytea[])`,
)

/** Marks the outputs of these transactions as existing and their inputs as spent. */
export async function claimOutputs(em: EntityManager, txids: readonly Uint8Array[]): Promise<void> {
  await change(em, BEGIN_OUTPUTS({ txids }))
  await change(em, CLAIM_INPUTS({ txids }))
}

const BEGIN_OUTPUTS = command(
  ({ txids }: These) => sql`UPDATE development_outputs SET live = true WHERE txid = ANY(${txids}::bytea[])`,
)

const CLAIM_INPUTS = command(
  ({ txids }: These) => sql`
  UPDATE development_outputs o SET spent_by = i.spender
    FROM development_inputs i
   WHERE i.spender = ANY(${txids}::bytea[]) AND o.txid = i.txid AND o.n = i.n`,
)
