// RPC methods about unspent outputs.
import { displayHash } from '../../../shared/proof/bitcoin/double_sha256.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { inCoins } from '../amount.ts'
import type { RpcMethods } from '../node.ts'
import { optional, readFlag, readHash, readInteger } from '../read_parameters.ts'
import { refuseCall } from '../rpc_refusal.ts'
import { readTip } from '../stored_block.ts'
import { coinsAt } from '../stored_transaction.ts'

export const coinMethods: RpcMethods = {
  /** Returns null for an output that is spent or does not exist. The pool counts unless the caller excludes it. */
  gettxout: async ({ em }, [id, n, includeMempool]) => {
    const previousTransaction = readHash(id, 'txid')
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
