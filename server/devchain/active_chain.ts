// Which chain counts: blocks are connected and disconnected in sets, never one by one.
import type { EntityManager } from '@mikro-orm/postgresql'
import { rows } from '../store/rows.ts'
import { COINBASE_MATURITY } from './parameters.ts'
import { claimOutputs, putOut } from './standing.ts'
import { readTip, type StoredBlock } from './stored_block.ts'

type Hashes = readonly Uint8Array[]

/**
 * Blocks that follow the active tip one on the other become active, and their transactions confirmed. What waits in
 * the pool and spends the same outputs stands out.
 */
export async function connect(em: EntityManager, hashes: Hashes): Promise<void> {
  await rows(em, 'UPDATE development_blocks SET active = true WHERE hash = ANY($1::bytea[])', [hashes])
  const txids = (await rows<{ txid: Buffer }>(em, TRANSACTIONS_OF, [hashes])).map(({ txid }) => txid)
  const rivals = await rows<{ txid: Buffer }>(em, RIVALS, [txids])
  await putOut(
    em,
    rivals.map(({ txid }) => txid),
  )
  await rows(em, CONFIRM, [hashes])
  await claimOutputs(em, txids)
}

/** Every active block above `height`: transactions go back to the pool, what a coinbase paid is gone. */
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

/** Moves to the highest chain without a refused block; between equals, to the first that came. */
async function activateBest(em: EntityManager): Promise<void> {
  const branch = await rows<{ hash: Buffer; height: number; active: boolean }>(em, BEST_BRANCH)
  const [fork, ...above] = branch
  if (fork === undefined) throw new Error('The development chain has no first block.')
  if (above.length === 0) return
  await disconnect(em, fork.height)
  await connect(
    em,
    above.map(({ hash }) => hash),
  )
}

/** The block and all that build on it no longer count. */
export async function refuseBlock(em: EntityManager, { hash, height, active }: StoredBlock): Promise<void> {
  if (active) await disconnect(em, height - 1)
  await rows(em, REFUSE_DESCENDANTS, [hash])
  await activateBest(em)
  await dropPremature(em)
}

/** The block, all that build on it and all it builds on count again. */
export async function forgiveBlock(em: EntityManager, { hash }: StoredBlock): Promise<void> {
  await rows(em, FORGIVE_DESCENDANTS, [hash])
  await rows(em, FORGIVE_ANCESTORS, [hash])
  await activateBest(em)
  await dropPremature(em)
}

/** After a step back, what spends a coinbase that is not old enough any more cannot be mined next. */
async function dropPremature(em: EntityManager): Promise<void> {
  const { height } = await readTip(em)
  const premature = await rows<{ txid: Buffer }>(em, PREMATURE, [height + 1 - COINBASE_MATURITY])
  await putOut(
    em,
    premature.map(({ txid }) => txid),
  )
}

const TRANSACTIONS_OF = `
  SELECT unnest(transaction_ids) AS txid FROM development_blocks WHERE hash = ANY($1::bytea[])`

const RIVALS = `
  SELECT DISTINCT o.spent_by AS txid
    FROM development_inputs i JOIN development_outputs o ON o.txid = i.txid AND o.n = i.n
   WHERE i.spender = ANY($1::bytea[]) AND o.spent_by IS NOT NULL AND o.spent_by <> ALL($1::bytea[])`

const CONFIRM = `
  UPDATE development_transactions t SET standing = 'chain', block_hash = b.hash, height = b.height
    FROM development_blocks b, unnest(b.transaction_ids) AS held (txid)
   WHERE b.hash = ANY($1::bytea[]) AND t.txid = held.txid`

/** From the highest block that may count down to the first active one, which comes first in the answer. */
const BEST_BRANCH = `
  WITH RECURSIVE branch AS (
    (SELECT hash, previous_hash, height, active FROM development_blocks WHERE NOT refused
      ORDER BY height DESC, arrival LIMIT 1)
    UNION ALL
    SELECT b.hash, b.previous_hash, b.height, b.active
      FROM branch JOIN development_blocks b ON b.hash = branch.previous_hash WHERE NOT branch.active
  )
  SELECT hash, height, active FROM branch ORDER BY height`

const DESCENDANTS = `
  WITH RECURSIVE line AS (
    SELECT $1::bytea AS hash
    UNION ALL
    SELECT b.hash FROM line JOIN development_blocks b ON b.previous_hash = line.hash
  )`
const REFUSE_DESCENDANTS = `${DESCENDANTS}
  UPDATE development_blocks SET refused = true WHERE hash IN (TABLE line)`
const FORGIVE_DESCENDANTS = `${DESCENDANTS}
  UPDATE development_blocks SET refused = false WHERE hash IN (TABLE line)`

/** Stops at the first block that counts already: all below it do too. */
const FORGIVE_ANCESTORS = `
  WITH RECURSIVE line AS (
    SELECT previous_hash AS hash FROM development_blocks WHERE hash = $1
    UNION ALL
    SELECT b.previous_hash FROM line JOIN development_blocks b ON b.hash = line.hash WHERE b.refused
  )
  UPDATE development_blocks SET refused = false WHERE refused AND hash IN (TABLE line)`

const PREMATURE = `
  SELECT DISTINCT t.txid
    FROM development_transactions t
    JOIN development_inputs i ON i.spender = t.txid
    JOIN development_transactions c ON c.txid = i.txid
   WHERE t.standing = 'pool' AND c.coinbase AND c.height > $1`
