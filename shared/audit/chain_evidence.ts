// Checks the evidence of a commitment to Bitcoin as an offline verifier does, without asking the chain.
import { hasWorkOf, headerHash } from '../proof/bitcoin/block_header.ts'
import { displayHash } from '../proof/bitcoin/double_sha256.ts'
import { opReturnOf } from '../proof/bitcoin/op_return.ts'
import { readTransaction, transactionId } from '../proof/bitcoin/transaction.ts'
import { readTxoutproof } from '../proof/bitcoin/txoutproof.ts'
import { fromHex } from '../proof/bytes.ts'
import { agree, type Disagreements, holds, type Place } from './disagreement.ts'

export interface ChainEvidence {
  readonly network: string
  /** 32 bytes. */
  readonly root: Uint8Array
  /** 32 bytes each, in display order. */
  readonly transaction_hash: Uint8Array | null
  readonly block_hash: Uint8Array | null
  readonly block_merkle_root: Uint8Array | null
  readonly raw_transaction: Uint8Array | null
  readonly txoutproof: Uint8Array | null
}

export function* auditEvidence(place: Place, evidence: ChainEvidence): Disagreements {
  const { raw_transaction, txoutproof } = evidence
  const read =
    raw_transaction === null || txoutproof === null ? undefined : reading(raw_transaction, txoutproof)
  if (read === undefined) return yield* holds(place, 'evidence', false, 'a transaction and its proof')
  const { transaction, proof } = read
  const txid = transactionId(transaction)
  yield* agree(place, 'raw_transaction', evidence.transaction_hash, fromHex(txid))
  yield* agree(place, 'OP_RETURN', evidence.root, opReturnOf(transaction) ?? null)
  yield* holds(place, 'txoutproof', proof.isValid && proof.matched.map(displayHash).includes(txid))
  yield* holds(
    place,
    'header',
    hasWorkOf(evidence.network, proof.header),
    'one with at least the least work that its network ever allowed',
  )
  yield* agree(place, 'block_hash', headerHash(proof.header), evidence.block_hash)
  yield* agree(place, 'block_merkle_root', displayHash(proof.fields.merkleRoot), evidence.block_merkle_root)
}

function reading(rawTransaction: Uint8Array, txoutproof: Uint8Array) {
  try {
    return { transaction: readTransaction(rawTransaction), proof: readTxoutproof(txoutproof) }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
