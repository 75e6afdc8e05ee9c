// What a network does to a chain and the development chain never does by itself: it moves to another branch, and lets go
// of transactions that wait.
import type { EntityManager } from '@mikro-orm/postgresql'
import { connect, readTip } from '../../../server/devchain/stored_block.ts'
import { COINBASE_MATURITY } from '../../../server/devchain/stored_transaction.ts'
import { rows } from '../rows.ts'

type TransactionIds = readonly Uint8Array[]

/** Takes these transactions and all that spend from them out. The outputs that they spent can be spent again. */
export async function putOut(em: EntityManager, txids: TransactionIds): Promise<void> {
  if (txids.length === 0) return
  const all = (await withDescendants(em, txids)).map(({ txid }) => txid)
  for (const sql of [RELEASE_INPUTS, END_OUTPUTS, PUT_OUT]) await rows(em, sql, [all])
}

/** The given transactions and all that spend from them, directly or indirectly, with their fees in satoshis. */
export const withDescendants = (
  em: EntityManager,
  txids: TransactionIds,
): Promise<{ txid: Buffer; fee: number }[]> => rows(em, DESCENDANTS, [txids])

const DESCENDANTS = `
  WITH RECURSIVE gone AS (
    SELECT unnest($1::bytea[]) AS txid
    UNION
    SELECT o.spent_by FROM gone JOIN development_outputs o ON o.txid = gone.txid WHERE o.spent_by IS NOT NULL
  )
  SELECT t.txid, t.fee::float8 AS fee FROM gone JOIN development_transactions t ON t.txid = gone.txid`

const RELEASE_INPUTS = `
  UPDATE development_outputs o SET spent_by = NULL
    FROM development_inputs i
   WHERE i.spender = ANY($1::bytea[]) AND o.txid = i.txid AND o.n = i.n AND o.spent_by = i.spender`

const END_OUTPUTS = 'UPDATE development_outputs SET live = false WHERE txid = ANY($1::bytea[])'

const PUT_OUT = `
  UPDATE development_transactions SET standing = 'out', block_hash = NULL, height = NULL
   WHERE txid = ANY($1::bytea[])`

/** Disconnects blocks down to the fork, then connects blocks up to `tip`. */
export async function activate(em: EntityManager, tip: Uint8Array): Promise<void> {
  const branch = await rows<{ hash: Buffer; height: number }>(em, BRANCH, [tip])
  const [fork, ...above] = branch
  if (fork === undefined) throw new Error('There is no such block.')
  await disconnect(em, fork.height)
  const hashes = above.map(({ hash }) => hash)
  const rivals = await rows<{ txid: Buffer }>(em, RIVALS, [hashes])
  await putOut(
    em,
    rivals.map(({ txid }) => txid),
  )
  await connect(em, hashes)
  const { height } = await readTip(em)
  const premature = await rows<{ txid: Buffer }>(em, PREMATURE, [height + 1 - COINBASE_MATURITY])
  await putOut(
    em,
    premature.map(({ txid }) => txid),
  )
}

/**
 * Disconnects every active block above `height`: transactions return to the pool, and coinbase outputs
 * disappear.
 */
async function disconnect(em: EntityManager, height: number): Promise<void> {
  const taken = await rows<{ transactionIds: Buffer[] }>(
    em,
    `UPDATE development_blocks SET active = false WHERE active AND height > $1
     RETURNING transaction_ids AS "transactionIds"`,
    [height],
  )
  await rows(
    em,
    `UPDATE development_transactions SET standing = 'pool', block_hash = NULL, height = NULL
      WHERE txid = ANY($1::bytea[])`,
    [taken.flatMap(({ transactionIds }) => transactionIds)],
  )
  await putOut(
    em,
    taken.flatMap(({ transactionIds }) => transactionIds.slice(0, 1)),
  )
}

/** From the given block down to the first active one. That one comes first in the result. */
const BRANCH = `
  WITH RECURSIVE branch AS (
    SELECT hash, previous_hash, height, active FROM development_blocks WHERE hash = $1
    UNION ALL
    SELECT b.hash, b.previous_hash, b.height, b.active
      FROM branch JOIN development_blocks b ON b.hash = branch.previous_hash WHERE NOT branch.active
  )
  SELECT hash, height FROM branch ORDER BY height`

/** Transactions in the pool that spend the same outputs as a transaction of these blocks. */
const RIVALS = `
  WITH held AS (SELECT unnest(transaction_ids) AS txid FROM development_blocks WHERE hash = ANY($1::bytea[]))
  SELECT DISTINCT o.spent_by AS txid
    FROM held
    JOIN development_inputs i ON i.spender = held.txid
    JOIN development_outputs o ON o.txid = i.txid AND o.n = i.n
   WHERE o.spent_by IS NOT NULL AND o.spent_by NOT IN (TABLE held)`

/** Transactions that spend a coinbase which is too young after a step back. They cannot be mined next. */
const PREMATURE = `
  SELECT DISTINCT t.txid
    FROM development_transactions t
    JOIN development_inputs i ON i.spender = t.txid
    JOIN development_transactions c ON c.txid = i.txid
   WHERE t.standing = 'pool' AND c.coinbase AND c.height > $1`
