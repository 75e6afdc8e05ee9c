// Proofs that a transaction is in a block.
import type { EntityManager } from '@mikro-orm/postgresql'
import { displayHash, doubleSha256 } from '../../../shared/proof/bitcoin/double_sha256.ts'
import { readTxoutproof, type Txoutproof, writeTxoutproof } from '../../../shared/proof/bitcoin/txoutproof.ts'
import { bytesEqual, toHex } from '../../../shared/proof/bytes.ts'
import type { RpcMethods } from '../node.ts'
import { readArray, readBytes, readHash } from '../read_parameters.ts'
import { refuseCall } from '../rpc_refusal.ts'
import { blockByHash, type StoredBlock } from '../stored_block.ts'
import { transactionById } from '../stored_transaction.ts'
import { findBlock } from './chain_methods.ts'

export const proofMethods: RpcMethods = {
  gettxoutproof: async ({ em }, [ids, hash]) => {
    const [wanted, ...more] = readArray(ids, 'txids').map((id) => readHash(id, 'txid'))
    if (wanted === undefined) throw refuseCall('invalid_parameter', "Parameter 'txids' cannot be empty")
    if (more.length > 0) throw refuseCall('invalid_parameter', 'One transaction is proved at a time here')
    const block = hash === undefined || hash === null ? await holderOf(em, wanted) : await findBlock(em, hash)
    const place = block.transactionIds.findIndex((txid) => bytesEqual(txid, wanted))
    if (place < 0) throw refuseCall('not_found', 'Not all transactions found in specified or retrieved block')
    return toHex(writeTxoutproof(block.transactionIds, place, block.header))
  },

  /** The transactions it proves; none when its tree does not add up. */
  verifytxoutproof: async ({ em }, [hex]) => {
    const { header, isValid, matched } = readProof(readBytes(hex, 'proof'))
    if (!isValid) return []
    const block = await blockByHash(em, doubleSha256(header))
    if (block?.active !== true) throw refuseCall('not_found', 'Block not found in chain')
    return matched.map(displayHash)
  },
}

async function holderOf(em: EntityManager, txid: Uint8Array): Promise<StoredBlock> {
  const found = await transactionById(em, txid)
  const hash = found?.blockHash ?? undefined
  const block = hash === undefined ? undefined : await blockByHash(em, hash)
  if (block === undefined) throw refuseCall('not_found', 'Transaction not yet in block')
  return block
}

function readProof(bytes: Uint8Array): Txoutproof {
  try {
    return readTxoutproof(bytes)
  } catch (error) {
    if (error instanceof RangeError) throw refuseCall('misc', 'The proof cannot be read')
    throw error
  }
}
