// Writes every block that has no epoch yet on a public chain of the test's own making: real bytes, no network.
import { createHash } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import { BITS, findNonce } from '../../../server/devchain/mine_block.ts'
import type { Evidence } from '../../../server/domain/commitments/chains/chain.ts'
import { closeEpoch } from '../../../server/domain/commitments/commit_epochs.ts'
import { confirmCommitment, reopenCommitment } from '../../../server/domain/commitments/record_try.ts'
import type { ChainName } from '../../../shared/proof/public_chains.ts'
import { row } from '../../support/rows.ts'

export interface Seeded {
  readonly chain: ChainName
  readonly network: string
}

export const BITCOIN: Seeded = { chain: 'bitcoin', network: 'regtest' }
export const STELLAR: Seeded = { chain: 'stellar', network: 'testnet' }

export async function commitBlocks({ em }: { em: EntityManager }, series: Seeded = BITCOIN): Promise<void> {
  // A slot is a millisecond here, so one of the next ones is free.
  while ((await closeEpoch(em, { ...series, intervalMs: 1 })) === undefined);
  const closed = await row<{ id: string; root: Buffer }>(
    em,
    `SELECT id, epoch_root AS root FROM commitments WHERE chain = $1 AND network = $2 AND state = 'pending'`,
    [series.chain, series.network],
  )
  await confirmCommitment(em, {
    commitmentId: closed.id,
    ...confirmationOf(series.chain, closed.root),
    lookMs: 3_600_000,
  })
}

/**
 * A reorganisation takes the newest confirmed commitment back. Returns what confirms it again, by the same transaction in
 * another block.
 */
export async function takeBack(
  { em }: { em: EntityManager },
  { chain, network }: Seeded = BITCOIN,
): Promise<() => Promise<void>> {
  const { id, root, transaction } = await row<{ id: string; root: Buffer; transaction: string }>(
    em,
    `SELECT id, epoch_root AS root, encode(transaction_hash, 'hex') AS transaction FROM commitments
      WHERE chain = $1 AND network = $2 AND state = 'confirmed' ORDER BY id DESC LIMIT 1`,
    [chain, network],
  )
  await reopenCommitment(em, id, transaction)
  return async () =>
    void (await confirmCommitment(em, {
      commitmentId: id,
      ...confirmationOf(chain, root, 4),
      lookMs: 3_600_000,
    }))
}

function confirmationOf(
  chain: ChainName,
  root: Buffer,
  previousBlock = 3,
): { readonly transactionHash: string; readonly evidence: Evidence } {
  const timestamp = new Date('2027-01-01T00:03:35Z')
  if (chain === 'stellar') {
    const transactionHash = createHash('sha256').update('stellar').update(root).digest('hex')
    return { transactionHash, evidence: { chain, ledger: 70_000_026, timestamp } }
  }
  const transaction = bitcoinTransaction(root)
  const txid = twice(transaction)
  const { header, hash } = findNonce({
    version: 0x2000_0000,
    previousBlock: Buffer.alloc(32, previousBlock),
    merkleRoot: txid,
    time: timestamp.getTime() / 1_000,
    bits: BITS,
  })
  return {
    transactionHash: display(txid),
    evidence: {
      chain,
      blockHeight: 1_201,
      blockHash: display(Buffer.from(hash)),
      timestamp,
      rawTransaction: transaction,
      // One transaction in the block: one hash, one flag.
      txoutproof: Buffer.concat([header, littleEndian(1), Buffer.of(1), txid, Buffer.of(1, 1)]),
      blockMerkleRoot: display(txid),
    },
  }
}

/** One input from nowhere, one output that carries the root. */
const bitcoinTransaction = (root: Buffer): Buffer =>
  Buffer.concat([
    littleEndian(2),
    Buffer.of(1),
    Buffer.alloc(32, 9),
    littleEndian(0),
    Buffer.of(0),
    littleEndian(0xffff_ffff),
    Buffer.of(1),
    Buffer.alloc(8),
    Buffer.of(34, 0x6a, 32),
    root,
    littleEndian(0),
  ])

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()
const twice = (bytes: Buffer): Buffer => sha256(sha256(bytes))
const display = (hash: Buffer): string => Buffer.from(hash).reverse().toString('hex')

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
