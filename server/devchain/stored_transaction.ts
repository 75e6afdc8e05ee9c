// Reads and stores transactions with the outputs that they make and spend.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import {
  type Transaction,
  transactionHash,
  writeTransaction,
} from '../../shared/proof/bitcoin/transaction.ts'
import { bool, bytes, float8, int4, nullable, type RowOf } from '../store/columns.ts'
import { TABLES } from '../store/database.ts'
import { change, rows } from '../store/run.ts'
import { command, statement } from '../store/statement.ts'
import { isCoinbase, isUnspendable, type Outpoint, weightOf } from './transaction_form.ts'

const TRANSACTION_ROW = {
  txid: bytes,
  raw: bytes,
  coinbase: bool,
  /** Satoshis. */
  fee: float8,
  weight: int4,
  standing: TABLES.development_transactions.standing,
  blockHash: nullable(bytes),
  height: nullable(int4),
  /** Unix seconds. */
  arrivedAt: float8,
}

export type StoredTransaction = RowOf<typeof TRANSACTION_ROW>

const COLUMNS = sql`txid, raw, coinbase, fee::float8 AS fee, weight, standing, block_hash AS "blockHash", height,
  floor(extract(epoch FROM arrived_at))::float8 AS "arrivedAt"`

export async function transactionById(
  em: EntityManager,
  txid: Uint8Array,
): Promise<StoredTransaction | undefined> {
  const [found] = await transactionsById(em, [txid])
  return found
}

/** Returns the known transactions in the order of `txids`. */
export const transactionsById = (
  em: EntityManager,
  txids: readonly Uint8Array[],
): Promise<readonly StoredTransaction[]> => rows(em, BY_IDS({ txids }))

const BY_IDS = statement(
  TRANSACTION_ROW,
  ({ txids }: { txids: readonly Uint8Array[] }) => sql`
  SELECT ${COLUMNS} FROM unnest(${txids}::bytea[]) WITH ORDINALITY AS asked (id, place)
    JOIN development_transactions ON txid = asked.id ORDER BY place`,
)

/**
 * The oldest transactions of the pool up to this total weight. Parents arrive before their children, so they come
 * first.
 */
export const oldestOfPool = (em: EntityManager, weight: number): Promise<readonly StoredTransaction[]> =>
  rows(em, OLDEST_OF_POOL({ weight }))

const OLDEST_OF_POOL = statement(
  TRANSACTION_ROW,
  ({ weight }: { weight: number }) => sql`
  SELECT ${COLUMNS} FROM (
    SELECT *, sum(weight) OVER (ORDER BY arrival) AS total FROM development_transactions WHERE standing = 'pool'
  ) AS pool WHERE total <= ${weight} ORDER BY arrival`,
)

const COIN_ROW = {
  txid: bytes,
  n: float8,
  amount: float8,
  script: bytes,
  live: bool,
  spentBy: nullable(bytes),
  /** Height of the transaction that spends the coin. Null when that transaction is not in an active block. */
  spenderHeight: nullable(int4),
  coinbase: bool,
  /** Null while the coin's own transaction is not in an active block. */
  height: nullable(int4),
}

export type Coin = RowOf<typeof COIN_ROW>

/**
 * Returns one coin per outpoint, in the same order. Undefined when there is no such output or it can never be spent.
 */
export async function coinsAt(
  em: EntityManager,
  outpoints: readonly Outpoint[],
): Promise<(Coin | undefined)[]> {
  const asked = {
    txids: outpoints.map(({ previousTransaction }) => previousTransaction),
    outputs: outpoints.map(({ previousOutput }) => previousOutput),
  }
  const found = await rows(em, COINS_AT(asked))
  const byPlace = new Map(found.map(({ place, ...coin }) => [place, coin]))
  return outpoints.map((_, place) => byPlace.get(place + 1))
}

/** Reads by primary key only. */
const COINS_AT = statement(
  { place: int4, ...COIN_ROW },
  ({ txids, outputs }: { txids: readonly Uint8Array[]; outputs: readonly number[] }) => sql`
  SELECT asked.place::int AS place, o.txid, o.n::float8 AS n, o.amount::float8 AS amount, o.script, o.live,
         o.spent_by AS "spentBy", s.height AS "spenderHeight", t.coinbase, t.height
    FROM unnest(${txids}::bytea[], ${outputs}::bigint[]) WITH ORDINALITY AS asked (txid, n, place)
    JOIN development_outputs o ON o.txid = asked.txid AND o.n = asked.n
    JOIN development_transactions t ON t.txid = o.txid
    LEFT JOIN development_transactions s ON s.txid = o.spent_by`,
)

/**
 * Stores the transactions with their inputs and outputs. Each stands `out` until it is put into the pool or a block.
 */
export async function insertTransactions(
  em: EntityManager,
  arrivals: readonly { readonly transaction: Transaction; readonly fee: number }[],
): Promise<void> {
  const named = arrivals.map(({ transaction, fee }) => ({
    transaction,
    fee,
    txid: transactionHash(transaction),
  }))
  const transactions = {
    txids: named.map(({ txid }) => txid),
    raws: named.map(({ transaction }) => writeTransaction(transaction)),
    coinbases: named.map(({ transaction }) => isCoinbase(transaction)),
    fees: named.map(({ fee }) => fee),
    weights: named.map(({ transaction }) => weightOf(transaction)),
  }
  await change(em, INSERT_TRANSACTIONS(transactions))
  const spent = named
    .filter(({ transaction }) => !isCoinbase(transaction))
    .flatMap(({ transaction, txid }) =>
      transaction.inputs.map((input, position) => ({ txid, position, input })),
    )
  const inputs = {
    spenders: spent.map(({ txid }) => txid),
    positions: spent.map(({ position }) => position),
    txids: spent.map(({ input }) => input.previousTransaction),
    outputs: spent.map(({ input }) => input.previousOutput),
  }
  await change(em, INSERT_INPUTS(inputs))
  const made = named.flatMap(({ transaction, txid }) =>
    transaction.outputs
      .map((output, n) => ({ ...output, txid, n }))
      .filter(({ script }) => !isUnspendable(script)),
  )
  const outputs = {
    txids: made.map(({ txid }) => txid),
    outputs: made.map(({ n }) => n),
    amounts: made.map(({ value }) => value),
    scripts: made.map(({ script }) => script),
  }
  await change(em, INSERT_OUTPUTS(outputs))
}

interface Transactions {
  readonly txids: readonly Uint8Array[]
  readonly raws: readonly Uint8Array[]
  readonly coinbases: readonly boolean[]
  readonly fees: readonly number[]
  readonly weights: readonly number[]
}

const INSERT_TRANSACTIONS = command(
  ({ txids, raws, coinbases, fees, weights }: Transactions) => sql`
  INSERT INTO development_transactions (txid, raw, coinbase, fee, weight, standing)
  SELECT *, 'out'
    FROM unnest(${txids}::bytea[], ${raws}::bytea[], ${coinbases}::boolean[], ${fees}::bigint[], ${weights}::int[])`,
)

interface Inputs {
  readonly spenders: readonly Uint8Array[]
  readonly positions: readonly number[]
  readonly txids: readonly Uint8Array[]
  readonly outputs: readonly number[]
}

const INSERT_INPUTS = command(
  ({ spenders, positions, txids, outputs }: Inputs) => sql`
  INSERT INTO development_inputs (spender, position, txid, n)
  SELECT * FROM unnest(${spenders}::bytea[], ${positions}::int[], ${txids}::bytea[], ${outputs}::bigint[])`,
)

interface Outputs {
  readonly txids: readonly Uint8Array[]
  readonly outputs: readonly number[]
  readonly amounts: readonly bigint[]
  readonly scripts: readonly Uint8Array[]
}

const INSERT_OUTPUTS = command(
  ({ txids, outputs, amounts, scripts }: Outputs) => sql`
  INSERT INTO development_outputs (txid, n, amount, script)
  SELECT * FROM unnest(${txids}::bytea[], ${outputs}::bigint[], ${amounts}::bigint[], ${scripts}::bytea[])`,
)
