// Moves transactions in and out, and keeps with them which outputs are there and who spends them.
import type { EntityManager } from '@mikro-orm/postgresql'
import { rows } from '../store/rows.ts'

type TransactionIds = readonly Uint8Array[]

/** They and everything that spends from them stand out; what they spent can be spent again. */
export async function putOut(em: EntityManager, txids: TransactionIds): Promise<void> {
  if (txids.length === 0) return
  const all = (await withDescendants(em, txids)).map(({ txid }) => txid)
  await rows(em, RELEASE_INPUTS, [all])
  await rows(em, 'UPDATE development_outputs SET live = false WHERE txid = ANY($1::bytea[])', [all])
  await rows(
    em,
    `UPDATE development_transactions SET standing = 'out', block_hash = NULL, height = NULL
      WHERE txid = ANY($1::bytea[])`,
    [all],
  )
}

/** Their inputs are known to be free. */
export async function putIntoPool(em: EntityManager, txids: TransactionIds): Promise<void> {
  await rows(em, `UPDATE development_transactions SET standing = 'pool' WHERE txid = ANY($1::bytea[])`, [
    txids,
  ])
  await claimOutputs(em, txids)
}

/** Outputs there are from now on, and outputs that are spent from now on. */
export async function claimOutputs(em: EntityManager, txids: TransactionIds): Promise<void> {
  await rows(em, 'UPDATE development_outputs SET live = true WHERE txid = ANY($1::bytea[])', [txids])
  await rows(
    em,
    `UPDATE development_outputs o SET spent_by = i.spender
       FROM development_inputs i
      WHERE i.spender = ANY($1::bytea[]) AND o.txid = i.txid AND o.n = i.n`,
    [txids],
  )
}

/** The transactions given and all that spend from them, directly or not, with their fees in satoshis. */
export const withDescendants = (
  em: EntityManager,
  txids: TransactionIds,
): Promise<{ txid: Buffer; fee: number; weight: number }[]> => rows(em, DESCENDANTS, [txids])

const DESCENDANTS = `
  WITH RECURSIVE gone AS (
    SELECT unnest($1::bytea[]) AS txid
    UNION
    SELECT o.spent_by FROM gone JOIN development_outputs o ON o.txid = gone.txid WHERE o.spent_by IS NOT NULL
  )
  SELECT t.txid, t.fee::float8 AS fee, t.weight FROM gone JOIN development_transactions t ON t.txid = gone.txid`

const RELEASE_INPUTS = `
  UPDATE development_outputs o SET spent_by = NULL
    FROM development_inputs i
   WHERE i.spender = ANY($1::bytea[]) AND o.txid = i.txid AND o.n = i.n AND o.spent_by = i.spender`
