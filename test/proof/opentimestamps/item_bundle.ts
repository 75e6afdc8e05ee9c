// Makes the bundle of an item from claims, paths and a Bitcoin transaction of any shape. Everything in it fits
// together; only the service's signature is missing.

import { displayHash } from '../../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { writeHeader } from '../../../shared/proof/bitcoin/block_header.ts'
import {
  opReturnScript,
  type Transaction,
  transactionBytes,
  transactionHash,
  writeTransaction,
} from '../../../shared/proof/bitcoin/transaction.ts'
import { bitcoinMerkleRoot, writeTxoutproof } from '../../../shared/proof/bitcoin/txoutproof.ts'
import { type ReadBundle, readBundleObject } from '../../../shared/proof/bundle/read_bundle.ts'
import { fromHex, toHex } from '../../../shared/proof/bytes.ts'
import { blockHash, itemHash, jsonHash } from '../../../shared/proof/composites.ts'
import type { JsonObject } from '../../../shared/proof/json_value.ts'
import { encodePath, type PathStep, walkPath } from '../../../shared/proof/merkle.ts'

export interface ItemParts {
  readonly claims: JsonObject
  /** From the item to the root of its block. */
  readonly inclusion: readonly PathStep[]
  /** From the block to the root of its epoch. */
  readonly epoch: readonly PathStep[]
  /** The OP_RETURN goes between these outputs. */
  readonly transaction: Transaction
  readonly outputsInFront: number
  /** The other transactions of the Bitcoin block, in internal order, and how many of them stand in front. */
  readonly others: readonly Uint8Array[]
  readonly othersInFront: number
  readonly height: number
  readonly networks: readonly string[]
}

export interface MadeItem {
  readonly document: JsonObject
  readonly bundle: ReadBundle
  /** 32 bytes in internal order. */
  readonly merkleRoot: Uint8Array
  /** The transaction without witness data, in bytes. */
  readonly transactionLength: number
}

const KEY_ID = fromHex('591f29fc')
const ID = '01MB78W7FGY7TZHKNWE7WA3Z57'
const BLOCK_ID = '01a2ce8e-9320-7630-bb7f-73edc8868b1d'
const PREVIOUS = new Uint8Array(32).fill(7)

export function makeItem(parts: ItemParts): MadeItem {
  const metadata = { witnesses: { block: toHex(PREVIOUS) } }
  const subjectHash = itemHash({
    id: ID,
    claimsHash: jsonHash('items_claims', parts.claims),
    metadataHash: jsonHash('items_metadata', metadata),
    keyId: KEY_ID,
  })
  const merkleRoot = walkPath(subjectHash, parts.inclusion)
  const metadataHash = jsonHash('block_metadata', {})
  const block = { id: BLOCK_ID, previousBlockHash: PREVIOUS, merkleRoot, metadataHash, keyId: KEY_ID }
  const epochRoot = walkPath(blockHash(block), parts.epoch)
  const commitment = commit(parts, epochRoot)
  const entries = parts.networks.map((network) => ({
    chain: 'bitcoin',
    epoch_merkle_root: toHex(epochRoot),
    epoch_proof: encodePath(parts.epoch),
    network,
    ...commitment.members,
  }))
  const document: JsonObject = {
    version: 1,
    type: 'item',
    subject: { id: ID, claims: parts.claims, metadata, signing_key_id: toHex(KEY_ID) },
    inclusion_proof: encodePath(parts.inclusion),
    block: {
      id: BLOCK_ID,
      previous_block_hash: toHex(PREVIOUS),
      merkle_root: toHex(merkleRoot),
      metadata: {},
      signing_key_id: toHex(KEY_ID),
    },
    commitments: [STELLAR, ...entries],
  }
  return { document, bundle: readBundleObject(document), ...commitment }
}

const STELLAR = { chain: 'stellar', network: 'public', epoch_merkle_root: toHex(PREVIOUS), epoch_proof: 'AA' }

function commit(parts: ItemParts, epochRoot: Uint8Array) {
  const outputs = parts.transaction.outputs.toSpliced(parts.outputsInFront, 0, {
    value: 0n,
    script: opReturnScript(epochRoot),
  })
  const transaction = { ...parts.transaction, outputs }
  const hash = transactionHash(transaction)
  const leaves = parts.others.toSpliced(parts.othersInFront, 0, hash)
  const merkleRoot = bitcoinMerkleRoot(leaves)
  const header = writeHeader({
    ...{ version: 0x2000_0000, previousBlock: PREVIOUS, merkleRoot },
    ...{ time: 1_798_761_815, bits: 0x207f_ffff, nonce: 2 },
  })
  return {
    merkleRoot,
    transactionLength: transactionBytes(transaction).length,
    members: {
      block_height: parts.height,
      block_merkle_root: displayHash(merkleRoot),
      raw_transaction: toHex(writeTransaction(transaction)),
      transaction_hash: displayHash(hash),
      txoutproof: toHex(writeTxoutproof(leaves, Math.min(parts.othersInFront, parts.others.length), header)),
    },
  }
}
