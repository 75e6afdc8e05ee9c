// Transactions as they are stored, and the outputs that they make and spend.
import type { EntityManager } from '@mikro-orm/postgresql'
import {
  type Transaction,
  transactionHash,
  writeTransaction,
} from '../../shared/proof/bitcoin/transaction.ts'
import { rows } from '../store/rows.ts'
import { isUnspendable } from './script.ts'
import { isCoinbase, type Outpoint, weightOf } from './transaction_form.ts'

/** `pool`: waits for a block. `chain`: in an active block. `out`: replaced, or its input is gone; may come back. */
export type Standing = 'pool' | 'chain' | 'out'

export interface StoredTransaction {
  readonly txid: Buffer
  readonly raw: Buffer
  readonly coinbase: boolean
  /** Satoshis. */
  readonly fee: number
  readonly weight: number
  readonly standing: Standing
  readonly blockHash: Buffer | null
  readonly height: number | null
  /** Unix seconds. */
  readonly arrivedAt: number
}

const COLUMNS = `txid, raw, coinbase, fee::float8 AS fee, weight, standing, block_hash AS "blockHash", height,
  floor(extract(epoch FROM arrived_at))::float8 AS "arrivedAt"`

export async function transactionById(
  em: EntityManager,
  txid: Uint8Array,
): Promise<StoredTransaction | undefined> {
  const [found] = await transactionsById(em, [txid])
  return found
}

/** Those that are known, in the order asked for. */
export const transactionsById = (
  em: EntityManager,
  txids: readonly Uint8Array[],
): Promise<StoredTransaction[]> =>
  rows(
    em,
    `SELECT ${COLUMNS} FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (id, place)
       JOIN development_transactions ON txid = asked.id ORDER BY place`,
    [txids],
  )

/** The oldest of the pool that weigh no more together. Parents arrive before their children, and so stand before them. */
export const oldestOfPool = (em: EntityManager, weight: number): Promise<StoredTransaction[]> =>
  rows(
    em,
    `SELECT ${COLUMNS} FROM (
       SELECT *, sum(weight) OVER (ORDER BY arrival) AS total FROM development_transactions WHERE standing = 'pool'
     ) AS pool WHERE total <= $1 ORDER BY arrival`,
    [weight],
  )

export interface Coin {
  readonly txid: Buffer
  readonly n: number
  readonly amount: number
  readonly script: Buffer
  readonly live: boolean
  readonly spentBy: Buffer | null
  /** What became of the spender. */
  readonly spenderHeight: number | null
  readonly coinbase: boolean
  /** Null while its own transaction is in no active block. */
  readonly height: number | null
}

/** One per outpoint, in their order; undefined where there is no such output or nobody can ever spend it. */
export async function coinsAt(
  em: EntityManager,
  outpoints: readonly Outpoint[],
): Promise<(Coin | undefined)[]> {
  const found = await rows<Coin & { place: number }>(em, COINS_AT, [
    outpoints.map(({ previousTransaction }) => previousTransaction),
    outpoints.map(({ previousOutput }) => previousOutput),
  ])
  const byPlace = new Map(found.map(({ place, ...coin }) => [place, coin]))
  return outpoints.map((_, place) => byPlace.get(place + 1))
}

/** By primary key throughout. */
const COINS_AT = `
  SELECT asked.place::int AS place, o.txid, o.n::float8 AS n, o.amount::float8 AS amount, o.script, o.live,
         o.spent_by AS "spentBy", s.height AS "spenderHeight", t.coinbase, t.height
    FROM unnest($1::bytea[], $2::bigint[]) WITH ORDINALITY AS asked (txid, n, place)
    JOIN development_outputs o ON o.txid = asked.txid AND o.n = asked.n
    JOIN development_transactions t ON t.txid = o.txid
    LEFT JOIN development_transactions s ON s.txid = o.spent_by`

/** Stores the transaction with what it spends and makes; it stands `out` until something takes it in. */
export async function insertTransactions(
  em: EntityManager,
  arrivals: readonly { readonly transaction: Transaction; readonly fee: number }[],
): Promise<void> {
  const named = arrivals.map(({ transaction, fee }) => ({
    transaction,
    fee,
    txid: transactionHash(transaction),
  }))
  await rows(
    em,
    `INSERT INTO development_transactions (txid, raw, coinbase, fee, weight, standing)
     SELECT *, 'out' FROM unnest($1::bytea[], $2::bytea[], $3::boolean[], $4::bigint[], $5::int[])`,
    [
      named.map(({ txid }) => txid),
      named.map(({ transaction }) => writeTransaction(transaction)),
      named.map(({ transaction }) => isCoinbase(transaction)),
      named.map(({ fee }) => fee),
      named.map(({ transaction }) => weightOf(transaction)),
    ],
  )
  const spent = named
    .filter(({ transaction }) => !isCoinbase(transaction))
    .flatMap(({ transaction, txid }) =>
      transaction.inputs.map((input, position) => ({ txid, position, input })),
    )
  await rows(
    em,
    `INSERT INTO development_inputs (spender, position, txid, n)
     SELECT * FROM unnest($1::bytea[], $2::int[], $3::bytea[], $4::bigint[])`,
    [
      spent.map(({ txid }) => txid),
      spent.map(({ position }) => position),
      spent.map(({ input }) => input.previousTransaction),
      spent.map(({ input }) => input.previousOutput),
    ],
  )
  const made = named.flatMap(({ transaction, txid }) =>
    transaction.outputs
      .map((output, n) => ({ ...output, txid, n }))
      .filter(({ script }) => !isUnspendable(script)),
  )
  await rows(
    em,
    `INSERT INTO development_outputs (txid, n, amount, script)
     SELECT * FROM unnest($1::bytea[], $2::bigint[], $3::bigint[], $4::bytea[])`,
    [
      made.map(({ txid }) => txid),
      made.map(({ n }) => n),
      made.map(({ value }) => value),
      made.map(({ script }) => script),
    ],
  )
}
