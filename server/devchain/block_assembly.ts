// Assembles a new block: its coinbase, the witness commitment (BIP141), the Merkle tree, and the proof of work.
import { doubleSha256 } from '../../shared/proof/bitcoin/double_sha256.ts'
import { opReturnScript } from '../../shared/proof/bitcoin/op_return.ts'
import { type Transaction, transactionHash } from '../../shared/proof/bitcoin/transaction.ts'
import { bitcoinMerkleRoot } from '../../shared/proof/bitcoin/txoutproof.ts'
import { concatBytes, fromHex } from '../../shared/proof/bytes.ts'
import { BITS, BLOCK_VERSION, SEQUENCE_FINAL, subsidyAt } from './parameters.ts'
import { findNonce } from './proof_of_work.ts'
import { push, pushHeight } from './script.ts'
import { NOWHERE, witnessHash } from './transaction_form.ts'

export interface BlockDraft {
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
