// Makes a block of transactions of the pool, with its coinbase, witness commitment (BIP141) and proof of work, and
// adds it to the active chain.
import { randomBytes } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { doubleSha256 } from '../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { type BlockHeader, meetsTarget, writeHeader } from '../../shared/proof/bitcoin/block_header.ts'
import {
  opReturnScript,
  readTransaction,
  type Transaction,
  transactionHash,
  writeTransaction,
} from '../../shared/proof/bitcoin/transaction.ts'
import { bitcoinMerkleRoot } from '../../shared/proof/bitcoin/txoutproof.ts'
import { concatBytes, fromHex } from '../../shared/proof/bytes.ts'
import { bool } from '../store/columns.ts'
import { DATABASE_TIME, row, statement } from '../store/statement.ts'
import { appendBlocks, medianTime, type NewBlock, readTip, underChainLock } from './stored_block.ts'
import { insertTransactions, MOST_WEIGHT, NOWHERE, oldestOfPool } from './stored_transaction.ts'

/** Compact form of regtest's target, the easiest one. Every second hash meets it. */
export const BITS = 0x207f_ffff
const BLOCK_VERSION = 0x2000_0000

/** Satoshis that a block at this height may create: 50 BTC at first, half as much every 150 blocks. */
export const subsidyAt = (height: number): number => Math.floor(5_000_000_000 / 2 ** Math.floor(height / 150))

/** Tries nonces from 0 up until one meets the target. At regtest's target this takes two tries on average. */
export function findNonce(header: Omit<BlockHeader, 'nonce'>): { header: Uint8Array; hash: Uint8Array } {
  for (let nonce = 0; nonce <= 0xffff_ffff; nonce++) {
    const bytes = writeHeader({ ...header, nonce })
    const hash = doubleSha256(bytes)
    if (meetsTarget(hash, header.bits)) return { header: bytes, hash }
  }
  throw new Error('No nonce meets the target.')
}

interface BlockDraft {
  readonly previousHash: Uint8Array
  readonly height: number
  /** Unix seconds. */
  readonly time: number
  /** Without the coinbase. A parent comes before its children. */
  readonly transactions: readonly Transaction[]
  /** Fees of all transactions, in satoshis. */
  readonly fees: number
  /** The script that gets the reward. */
  readonly payTo: Uint8Array
}

export interface AssembledBlock extends NewBlock {
  readonly coinbase: Transaction
}

export function assembleBlock(draft: BlockDraft): AssembledBlock {
  const { previousHash, height, time, transactions } = draft
  const coinbase = coinbaseOf(draft)
  const transactionIds = [coinbase, ...transactions].map(transactionHash)
  const mined = findNonce({
    version: BLOCK_VERSION,
    previousBlock: previousHash,
    merkleRoot: bitcoinMerkleRoot(transactionIds),
    time,
    bits: BITS,
  })
  return { ...mined, previousHash, height, time, coinbase, transactionIds }
}

const coinbaseOf = ({ height, transactions, fees, payTo }: BlockDraft): Transaction => ({
  version: 2,
  inputs: [
    {
      ...NOWHERE,
      // Random bytes make the coinbase differ from that of any other block at this height.
      script: concatBytes(pushHeight(height), push(randomBytes(8))),
      sequence: 0xffff_ffff,
      witness: [RESERVED],
    },
  ],
  outputs: [
    { value: BigInt(subsidyAt(height) + fees), script: payTo },
    { value: 0n, script: opReturnScript(concatBytes(COMMITMENT_TAG, witnessCommitment(transactions))) },
  ],
  lockTime: 0,
})

/** A push of at most 75 bytes. */
const push = (data: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(data.length), data)

/** The height as the first data of a coinbase: the shortest push of the number (BIP34). */
export function pushHeight(height: number): Uint8Array {
  if (height <= 16) return Uint8Array.of(height === 0 ? 0 : 0x50 + height)
  const bytes: number[] = []
  for (let rest = height; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256)
  // The highest bit is the sign, so a zero byte is added when it is set.
  if ((bytes.at(-1) ?? 0) >= 0x80) bytes.push(0)
  return push(Uint8Array.from(bytes))
}

/** Over the transactions with their witnesses. The coinbase counts as zeros here, because it contains the commitment. */
function witnessCommitment(transactions: readonly Transaction[]): Uint8Array {
  const hashes = transactions.map((transaction) => doubleSha256(writeTransaction(transaction)))
  return doubleSha256(concatBytes(bitcoinMerkleRoot([new Uint8Array(32), ...hashes]), RESERVED))
}

const COMMITMENT_TAG = fromHex('aa21a9ed')
const RESERVED = new Uint8Array(32)

export interface Miner {
  readonly em: EntityManager
  /** The script that gets the rewards. */
  readonly payTo: Uint8Array
}

/**
 * Mines a block when a transaction has waited for `afterMs`. Every server looks; the first under the chain's lock
 * mines the block, and the others then find nothing due.
 */
export async function mineWhenDue(miner: Miner, afterMs: number): Promise<void> {
  if (!(await isDue(miner.em, afterMs))) return
  await underChainLock(miner.em, async (inside) => {
    if (await isDue(inside, afterMs)) await extendChain({ ...miner, em: inside })
  })
}

/**
 * Returns whether the oldest transaction of the pool has waited long enough. A transaction from the future counts as
 * due, because the clock was set back. Makes one read of a small index.
 */
export const isDue = async (em: EntityManager, afterMs: number): Promise<boolean> =>
  (await row(em, IS_DUE({ afterMs }))).due

const IS_DUE = statement(
  { due: bool },
  ({ afterMs }: { afterMs: number }) => sql`
  SELECT coalesce((SELECT arrived_at <= pharos_now() - ${afterMs} * interval '1 millisecond' OR arrived_at > pharos_now()
                     FROM development_transactions WHERE standing = 'pool' ORDER BY arrival LIMIT 1), false) AS due`,
)

/** As many as fit, less room for header and coinbase, if all are as heavy as the pool takes them. */
const MOST_TRANSACTIONS = Math.floor((4_000_000 - 4_000) / MOST_WEIGHT)

/** Must be called under the chain's lock. */
export async function extendChain({ em, payTo }: Miner): Promise<void> {
  const tip = await readTip(em)
  const { now_ms } = await row(em, DATABASE_TIME)
  const chosen = await oldestOfPool(em, MOST_TRANSACTIONS)
  const block = assembleBlock({
    previousHash: tip.hash,
    height: tip.height + 1,
    time: Math.max(Math.floor(now_ms / 1_000), (await medianTime(em, tip.hash)) + 1),
    transactions: chosen.map(({ raw }) => readTransaction(raw)),
    fees: chosen.reduce((sum, { fee }) => sum + fee, 0),
    payTo,
  })
  await insertTransactions(em, [{ transaction: block.coinbase, fee: 0 }])
  await appendBlocks(em, [block])
}
