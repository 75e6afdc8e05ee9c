// RPC methods that tell: blocks, transactions, which outputs are unspent, and the proof that a block contains a
// transaction.
import type { EntityManager } from '@mikro-orm/postgresql'
import { displayHash } from '../../shared/proof/bitcoin/bitcoin_bytes.ts'
import { readHeader } from '../../shared/proof/bitcoin/block_header.ts'
import { readTransaction } from '../../shared/proof/bitcoin/transaction.ts'
import { writeTxoutproof } from '../../shared/proof/bitcoin/txoutproof.ts'
import { bytesEqual, toHex } from '../../shared/proof/bytes.ts'
import type { JsonValue } from '../../shared/proof/json_value.ts'
import {
  inCoins,
  optional,
  type RpcMethods,
  readArray,
  readCount,
  readFlag,
  readHashParameter,
  refuseCall,
} from './rpc_method.ts'
import { blockAtHeight, blockByHash, medianTime, readTip, type StoredBlock } from './stored_block.ts'
import { coinAt, type StoredTransaction, transactionById } from './stored_transaction.ts'

export const chainMethods: RpcMethods = {
  getblockchaininfo: async ({ em }) => {
    const tip = await readTip(em)
    return {
      chain: 'regtest',
      blocks: tip.height,
      headers: tip.height,
      bestblockhash: displayHash(tip.hash),
      bits: readHeader(tip.header).bits.toString(16),
      time: tip.time,
      mediantime: await medianTime(em, tip.hash),
      initialblockdownload: false,
      pruned: false,
      warnings: ['This is a development chain: it proves nothing to anybody outside.'],
    }
  },

  getblockcount: async ({ em }) => (await readTip(em)).height,

  getblockhash: async ({ em }, [height]) => {
    const block = await blockAtHeight(em, readCount(height, 'height', 0x7fff_ffff))
    if (block === undefined) throw refuseCall('invalid_parameter', 'Block height out of range')
    return displayHash(block.hash)
  },

  getblockheader: async ({ em }, [hash, verbose]) => {
    const block = await findBlock(em, hash)
    if (optional(verbose, 'verbose', readFlag) === false) return toHex(block.header)
    const { version, merkleRoot, time, nonce, bits, previousBlock } = readHeader(block.header)
    return {
      hash: displayHash(block.hash),
      confirmations: block.active ? (await readTip(em)).height - block.height + 1 : -1,
      height: block.height,
      version,
      merkleroot: displayHash(merkleRoot),
      time,
      nonce,
      bits: bits.toString(16),
      nTx: block.transactionIds.length,
      ...(block.height === 0 ? {} : { previousblockhash: displayHash(previousBlock) }),
    }
  },

  gettransaction: async ({ em }, [id]) => {
    const found = await transactionById(em, readHashParameter(id, 'txid'))
    if (found === undefined) throw refuseCall('not_found', 'Invalid or non-wallet transaction id')
    return {
      txid: displayHash(found.txid),
      fee: -inCoins(found.fee),
      confirmations: await confirmationsOf(em, found),
      ...(found.blockHash === null ? {} : { blockhash: displayHash(found.blockHash) }),
      hex: toHex(found.raw),
    }
  },

  getmempoolentry: async ({ em }, [id]) => {
    const found = await transactionById(em, readHashParameter(id, 'txid'))
    if (found?.standing !== 'pool') throw refuseCall('not_found', 'Transaction not in mempool')
    return { fees: { base: inCoins(found.fee) } }
  },

  /** Returns null for an output that is spent or does not exist. The pool counts unless the caller excludes it. */
  gettxout: async ({ em }, [id, n, includeMempool]) => {
    const previousTransaction = readHashParameter(id, 'txid')
    const previousOutput = readCount(n, 'n')
    const withPool = optional(includeMempool, 'include_mempool', readFlag) ?? true
    const coin = await coinAt(em, { previousTransaction, previousOutput })
    const isThere = coin?.live === true && (withPool || coin.height !== null)
    const isSpent = withPool ? coin?.spentBy !== null : coin?.spenderHeight !== null
    if (coin === undefined || !isThere || isSpent) return null
    const tip = await readTip(em)
    return {
      bestblock: displayHash(tip.hash),
      confirmations: coin.height === null ? 0 : tip.height - coin.height + 1,
      value: inCoins(coin.amount),
      scriptPubKey: { hex: toHex(coin.script) },
    }
  },

  gettxoutproof: async ({ em }, [ids, hash]) => {
    const [wanted, ...more] = readArray(ids, 'txids').map((id) => readHashParameter(id, 'txid'))
    if (wanted === undefined) throw refuseCall('invalid_parameter', "Parameter 'txids' cannot be empty")
    if (more.length > 0) throw refuseCall('invalid_parameter', 'One transaction is proved at a time here')
    const block = hash === undefined || hash === null ? await holderOf(em, wanted) : await findBlock(em, hash)
    const place = block.transactionIds.findIndex((txid) => bytesEqual(txid, wanted))
    if (place < 0) throw refuseCall('not_found', 'Not all transactions found in specified or retrieved block')
    return toHex(writeTxoutproof(block.transactionIds, place, block.header))
  },
}

async function findBlock(em: EntityManager, hash: JsonValue | undefined): Promise<StoredBlock> {
  const block = await blockByHash(em, readHashParameter(hash, 'blockhash'))
  if (block === undefined) throw refuseCall('not_found', 'Block not found')
  return block
}

async function holderOf(em: EntityManager, txid: Uint8Array): Promise<StoredBlock> {
  const hash = (await transactionById(em, txid))?.blockHash ?? undefined
  const block = hash === undefined ? undefined : await blockByHash(em, hash)
  if (block === undefined) throw refuseCall('not_found', 'Transaction not yet in block')
  return block
}

/** Negative when another transaction on the chain spends its coin: minus that one's depth. */
async function confirmationsOf(em: EntityManager, { height, raw }: StoredTransaction): Promise<number> {
  const tip = await readTip(em)
  if (height !== null) return tip.height - height + 1
  const [input] = readTransaction(raw).inputs
  const buried = input === undefined ? undefined : (await coinAt(em, input))?.spenderHeight
  return buried === undefined || buried === null ? 0 : buried - tip.height - 1
}
