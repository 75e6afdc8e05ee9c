// Makes a block of transactions of the pool, with its coinbase, witness commitment (BIP141) and proof of work, and
// adds it to the active chain.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import {
  type BlockHeader,
  meetsTarget,
  targetOf,
  writeHeader,
} from '../../shared/proof/bitcoin/block_header.ts'
import { doubleSha256 } from '../../shared/proof/bitcoin/double_sha256.ts'
import { opReturnScript } from '../../shared/proof/bitcoin/op_return.ts'
import { readTransaction, type Transaction, transactionHash } from '../../shared/proof/bitcoin/transaction.ts'
import { bitcoinMerkleRoot } from '../../shared/proof/bitcoin/txoutproof.ts'
import { concatBytes, fromHex } from '../../shared/proof/bytes.ts'
import { bool, float8 } from '../store/columns.ts'
import { row } from '../store/run.ts'
import { statement } from '../store/statement.ts'
import { BITS, BLOCK_VERSION, BLOCK_WEIGHT_LEFT, SEQUENCE_FINAL, subsidyAt } from './parameters.ts'
import { connect, underChainLock } from './standing.ts'
import { medianTime, readTip, storeBlock } from './stored_block.ts'
import { insertTransactions, oldestOfPool } from './stored_transaction.ts'
import { NOWHERE, push, pushHeight, witnessHash } from './transaction_form.ts'

/** Tries nonces from 0 up until one meets the target. At regtest's target this takes two tries on average. */
export function findNonce(header: Omit<BlockHeader, 'nonce'>): { header: Uint8Array; hash: Uint8Array } {
  for (let nonce = 0; nonce <= 0xffff_ffff; nonce++) {
    const bytes = writeHeader({ ...header, nonce })
    const hash = doubleSha256(bytes)
    if (meetsTarget(hash, header.bits)) return { header: bytes, hash }
  }
  throw new Error('No nonce meets the target.')
}

/**
 * The expected number of hashes for a chain of this height, as 64 hex digits. At regtest's target each block takes
 * two.
 */
export const chainWork = (height: number): string => (2 * (height + 1)).toString(16).padStart(64, '0')

/** The ratio of mainnet's easiest target to this target. */
export const difficultyOf = (bits: number): number => Number(0xffffn << 208n) / Number(targetOf(bits))

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
  /** Random bytes that make the coinbase differ from any other block at this height. */
  readonly extraNonce: Uint8Array
}

export interface AssembledBlock {
  readonly hash: Uint8Array
  readonly header: Uint8Array
  readonly coinbase: Transaction
  readonly transactionIds: readonly Uint8Array[]
}

export function assembleBlock(draft: BlockDraft): AssembledBlock {
  const coinbase = coinbaseOf(draft)
  const transactionIds = [coinbase, ...draft.transactions].map(transactionHash)
  const { header, hash } = findNonce({
    version: BLOCK_VERSION,
    previousBlock: draft.previousHash,
    merkleRoot: bitcoinMerkleRoot(transactionIds),
    time: draft.time,
    bits: BITS,
  })
  return { hash, header, coinbase, transactionIds }
}

const coinbaseOf = ({ height, transactions, fees, payTo, extraNonce }: BlockDraft): Transaction => ({
  version: 2,
  inputs: [
    {
      ...NOWHERE,
      script: concatBytes(pushHeight(height), push(extraNonce)),
      sequence: SEQUENCE_FINAL,
      witness: [RESERVED],
    },
  ],
  outputs: [
    { value: BigInt(subsidyAt(height) + fees), script: payTo },
    { value: 0n, script: opReturnScript(concatBytes(COMMITMENT_TAG, witnessCommitment(transactions))) },
  ],
  lockTime: 0,
})

/** The coinbase counts as zeros here, because it contains the commitment. */
const witnessCommitment = (transactions: readonly Transaction[]): Uint8Array =>
  doubleSha256(
    concatBytes(bitcoinMerkleRoot([new Uint8Array(32), ...transactions.map(witnessHash)]), RESERVED),
  )

const COMMITMENT_TAG = fromHex('aa21a9ed')
const RESERVED = new Uint8Array(32)

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
  await storeBlock(em, { ...block, previousHash: tip.hash, height, time })
  await connect(em, [block.hash])
  return block.hash
}
