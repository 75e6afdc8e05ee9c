// All RPC methods by name, those of outputs, pool and proofs written here. Our client calls them to commit and prove,
// the OpenTimestamps client to verify (getblockcount, getblockhash, getblockheader).
import type { EntityManager } from '@mikro-orm/postgresql'
import { displayHash } from '../../../shared/proof/bitcoin/double_sha256.ts'
import { readTransaction } from '../../../shared/proof/bitcoin/transaction.ts'
import { writeTxoutproof } from '../../../shared/proof/bitcoin/txoutproof.ts'
import { bytesEqual, toHex } from '../../../shared/proof/bytes.ts'
import type { RpcMethod, RpcMethods } from '../node.ts'
import { inCoins } from '../parameters.ts'
import { optional, readArray, readFlag, readHashParameter, readInteger } from '../read_parameters.ts'
import { refuseCall } from '../rpc_refusal.ts'
import { withDescendants } from '../standing.ts'
import { blockByHash, readTip, type StoredBlock } from '../stored_block.ts'
import { coinsAt, transactionById, transactionsById } from '../stored_transaction.ts'
import { virtualSize, witnessHash } from '../transaction_form.ts'
import { chainMethods, findBlock } from './chain_methods.ts'
import { rawTransactionMethods } from './raw_transaction_methods.ts'
import { walletMethods } from './wallet_methods.ts'
import { isReplaceable, walletTransactionMethods } from './wallet_transaction_methods.ts'

const coinMethods: RpcMethods = {
  /** Returns null for an output that is spent or does not exist. The pool counts unless the caller excludes it. */
  gettxout: async ({ em }, [id, n, includeMempool]) => {
    const previousTransaction = readHashParameter(id, 'txid')
    const previousOutput = readInteger(n, 'n')
    if (previousOutput < 0 || previousOutput > 0xffff_ffff)
      throw refuseCall('invalid_parameter', 'Invalid parameter, n out of range')
    const withPool = optional(includeMempool, 'include_mempool', readFlag) ?? true
    const [coin] = await coinsAt(em, [{ previousTransaction, previousOutput }])
    const isThere = coin?.live === true && (withPool || coin.height !== null)
    const isSpent = withPool ? coin?.spentBy !== null : coin?.spenderHeight !== null
    if (coin === undefined || !isThere || isSpent) return null
    const tip = await readTip(em)
    return {
      bestblock: displayHash(tip.hash),
      confirmations: coin.height === null ? 0 : tip.height - coin.height + 1,
      value: inCoins(coin.amount),
      scriptPubKey: { hex: toHex(coin.script) },
      coinbase: coin.coinbase,
    }
  },
}

const poolMethods: RpcMethods = {
  getmempoolentry: async ({ em }, [id]) => {
    const found = await transactionById(em, readHashParameter(id, 'txid'))
    if (found?.standing !== 'pool') throw refuseCall('not_found', 'Transaction not in mempool')
    const transaction = readTransaction(found.raw)
    const parents = await transactionsById(
      em,
      transaction.inputs.map((input) => input.previousTransaction),
    )
    const together = await withDescendants(em, [found.txid])
    const descendant = together.reduce((sum, { fee }) => sum + fee, 0)
    return {
      vsize: virtualSize(found.weight),
      weight: found.weight,
      time: found.arrivedAt,
      wtxid: displayHash(witnessHash(transaction)),
      fees: { base: inCoins(found.fee), modified: inCoins(found.fee), descendant: inCoins(descendant) },
      depends: parents.filter(({ standing }) => standing === 'pool').map(({ txid }) => displayHash(txid)),
      'bip125-replaceable': isReplaceable(transaction),
      unbroadcast: false,
    }
  },
}

const proofMethods: RpcMethods = {
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

async function holderOf(em: EntityManager, txid: Uint8Array): Promise<StoredBlock> {
  const found = await transactionById(em, txid)
  const hash = found?.blockHash ?? undefined
  const block = hash === undefined ? undefined : await blockByHash(em, hash)
  if (block === undefined) throw refuseCall('not_found', 'Transaction not yet in block')
  return block
}

/** Enough to find out which Merkle root the block at a height has. */
export const READING_METHODS: ReadonlySet<string> = new Set([
  'getblockcount',
  'getblockhash',
  'getblockheader',
])

/** A Map, so that a name such as `constructor` finds nothing. */
export const METHODS: ReadonlyMap<string, RpcMethod> = new Map(
  [
    chainMethods,
    poolMethods,
    rawTransactionMethods,
    walletMethods,
    walletTransactionMethods,
    coinMethods,
    proofMethods,
  ].flatMap((methods) => Object.entries(methods)),
)
