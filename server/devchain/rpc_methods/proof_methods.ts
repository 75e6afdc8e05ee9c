// The RPC method that proves that a block contains a transaction.
import type { EntityManager } from '@mikro-orm/postgresql'
import { writeTxoutproof } from '../../../shared/proof/bitcoin/txoutproof.ts'
import { bytesEqual, toHex } from '../../../shared/proof/bytes.ts'
import type { RpcMethods } from '../node.ts'
import { readArray, readHash } from '../read_parameters.ts'
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
}

async function holderOf(em: EntityManager, txid: Uint8Array): Promise<StoredBlock> {
  const found = await transactionById(em, txid)
  const hash = found?.blockHash ?? undefined
  const block = hash === undefined ? undefined : await blockByHash(em, hash)
  if (block === undefined) throw refuseCall('not_found', 'Transaction not yet in block')
  return block
}
