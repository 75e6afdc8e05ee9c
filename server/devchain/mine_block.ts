// Adds a block with transactions of the pool to the active chain.

import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { readTransaction } from '../../shared/proof/bitcoin/transaction.ts'
import { bool, float8 } from '../store/columns.ts'
import { row } from '../store/run.ts'
import { statement } from '../store/statement.ts'
import { connect } from './active_chain.ts'
import { assembleBlock } from './block_assembly.ts'
import { underChainLock } from './chain_lock.ts'
import { BLOCK_WEIGHT_LEFT } from './parameters.ts'
import { insertBlock, medianTime, readTip } from './stored_block.ts'
import { insertTransactions, oldestOfPool } from './stored_transaction.ts'

export interface Miner {
  readonly em: EntityManager
  /** Returns this many random bytes. */
  readonly random: (bytes: number) => Uint8Array
}

export const EXTRA_NONCE_BYTES = 8

/**
 * Mines a block when a transaction has waited for `afterMs`. Returns undefined when none has, or when another server
 * was faster.
 */
export const mineWhenDue = (
  { em, random }: Miner,
  { payTo, afterMs }: { payTo: Uint8Array; afterMs: number },
): Promise<Uint8Array | undefined> =>
  underChainLock(em, async (inside) =>
    (await isDue(inside, afterMs)) ? extendChain({ em: inside, random }, payTo) : undefined,
  )

/**
 * Returns whether the oldest transaction of the pool has waited long enough. A transaction from the future counts as
 * due, because the clock was set back. Makes one read of a small index.
 */
export async function isDue(em: EntityManager, afterMs: number): Promise<boolean> {
  const { due } = await row(em, IS_DUE({ afterMs }))
  return due
}

const IS_DUE = statement(
  { due: bool },
  ({ afterMs }: { afterMs: number }) => sql`
  SELECT coalesce((SELECT arrived_at <= pharos_now() - ${afterMs} * interval '1 millisecond' OR arrived_at > pharos_now()
                     FROM development_transactions WHERE standing = 'pool' ORDER BY arrival LIMIT 1), false) AS due`,
)

const NOW_SECONDS = statement({ now: float8 }, sql`SELECT floor(unix_ms(pharos_now()) / 1000)::float8 AS now`)

/** Returns the new block's hash in internal byte order. Must be called under the chain's lock. */
export async function extendChain({ em, random }: Miner, payTo: Uint8Array): Promise<Uint8Array> {
  const tip = await readTip(em)
  const { now } = await row(em, NOW_SECONDS)
  const chosen = await oldestOfPool(em, BLOCK_WEIGHT_LEFT)
  const height = tip.height + 1
  const time = Math.max(now, (await medianTime(em, tip.hash)) + 1)
  const { coinbase, ...block } = assembleBlock({
    previousHash: tip.hash,
    height,
    time,
    transactions: chosen.map(({ raw }) => readTransaction(raw)),
    fees: chosen.reduce((sum, { fee }) => sum + fee, 0),
    payTo,
    extraNonce: random(EXTRA_NONCE_BYTES),
  })
  await insertTransactions(em, [{ transaction: coinbase, fee: 0 }])
  await insertBlock(em, { ...block, previousHash: tip.hash, height, time })
  await connect(em, [block.hash])
  return block.hash
}
