// The wallet's coins: what it may spend now, what it is worth, and what is kept for a transaction on its way.
import type { EntityManager } from '@mikro-orm/postgresql'
import { row, rows } from '../store/rows.ts'
import { COINBASE_MATURITY } from './parameters.ts'
import { readTip } from './stored_block.ts'
import type { Outpoint } from './transaction_form.ts'

export interface WalletCoin {
  readonly txid: Uint8Array
  readonly n: number
  /** Satoshis. */
  readonly amount: number
  /** Null while it is not confirmed. */
  readonly height: number | null
}

interface Choice {
  /** The wallet's. */
  readonly script: Uint8Array
  readonly standing: 'chain' | 'pool'
  readonly limit: number
}

/** The largest first; without what is locked and coinbases that are too young. Walks an index of what is unspent. */
export async function spendableCoins(
  em: EntityManager,
  { script, standing, limit }: Choice,
): Promise<WalletCoin[]> {
  const { height } = await readTip(em)
  return rows(em, SPENDABLE, [script, standing, height + 1 - COINBASE_MATURITY, limit])
}

/** Bitcoin Core forgets locks when it stops. This chain has many processes; it forgets them after a day. */
const IS_LOCKED = `(o.locked_at IS NOT NULL AND o.locked_at > pharos_now() - interval '1 day')`

const SPENDABLE = `
  SELECT o.txid, o.n::float8 AS n, o.amount::float8 AS amount, t.height
    FROM development_outputs o JOIN development_transactions t ON t.txid = o.txid
   WHERE o.script = $1 AND o.live AND o.spent_by IS NULL AND NOT ${IS_LOCKED}
     AND t.standing = $2 AND (NOT t.coinbase OR t.height <= $3)
   ORDER BY o.amount DESC, o.txid, o.n LIMIT $4`

/** Satoshis the wallet owns, without coinbases that are too young. */
export async function walletBalance(em: EntityManager, script: Uint8Array): Promise<number> {
  const { height } = await readTip(em)
  const { balance } = await row<{ balance: number }>(em, BALANCE, [script, height + 1 - COINBASE_MATURITY])
  return balance
}

/** All of it comes from the index alone; the young ones are at most a hundred blocks. */
const BALANCE = `
  SELECT ((SELECT coalesce(sum(amount), 0) FROM development_outputs
            WHERE script = $1 AND live AND spent_by IS NULL)
        - (SELECT coalesce(sum(o.amount), 0)
             FROM development_blocks b JOIN development_outputs o ON o.txid = b.transaction_ids[1]
            WHERE b.active AND b.height > $2 AND o.script = $1 AND o.live AND o.spent_by IS NULL))::float8 AS balance`

/** Keeps unspent outputs from being chosen. Answers how many it could. */
export async function lockCoins(em: EntityManager, outpoints: readonly Outpoint[]): Promise<number> {
  const locked = await rows(
    em,
    `UPDATE development_outputs o SET locked_at = pharos_now()
       FROM unnest($1::bytea[], $2::bigint[]) AS asked (txid, n)
      WHERE o.txid = asked.txid AND o.n = asked.n AND o.live AND o.spent_by IS NULL AND NOT ${IS_LOCKED}
      RETURNING 1`,
    columnsOf(outpoints),
  )
  return locked.length
}

/** Answers how many were locked. */
export async function unlockCoins(em: EntityManager, outpoints: readonly Outpoint[]): Promise<number> {
  const freed = await rows(
    em,
    `UPDATE development_outputs o SET locked_at = NULL
       FROM unnest($1::bytea[], $2::bigint[]) AS asked (txid, n)
      WHERE o.txid = asked.txid AND o.n = asked.n AND ${IS_LOCKED} RETURNING 1`,
    columnsOf(outpoints),
  )
  return freed.length
}

export async function unlockEveryCoin(em: EntityManager): Promise<void> {
  await rows(em, 'UPDATE development_outputs SET locked_at = NULL WHERE locked_at IS NOT NULL')
}

export const lockedCoins = (em: EntityManager, limit: number): Promise<{ txid: Buffer; n: number }[]> =>
  rows(
    em,
    `SELECT o.txid, o.n::float8 AS n FROM development_outputs o WHERE ${IS_LOCKED} ORDER BY o.locked_at LIMIT $1`,
    [limit],
  )

const columnsOf = (outpoints: readonly Outpoint[]): unknown[] => [
  outpoints.map(({ previousTransaction }) => previousTransaction),
  outpoints.map(({ previousOutput }) => previousOutput),
]
