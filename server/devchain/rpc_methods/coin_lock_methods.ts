// Outputs the wallet shall not choose by itself.
import { displayHash } from '../../../shared/proof/bitcoin/double_sha256.ts'
import { type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import { underChainLock } from '../chain_lock.ts'
import type { RpcMethods } from '../node.ts'
import { optional, readArray, readFlag, readHash, readInteger, readObject } from '../read_parameters.ts'
import { refuseCall } from '../rpc_refusal.ts'
import { coinsAt } from '../stored_transaction.ts'
import type { Outpoint } from '../transaction_form.ts'
import { lockCoins, lockedCoins, unlockCoins, unlockEveryCoin } from '../wallet_coins.ts'

const MOST_LISTED = 1_000

export const coinLockMethods: RpcMethods = {
  lockunspent: async ({ em }, [release, transactions]) => {
    const unlock = readFlag(release, 'unlock')
    const outpoints = (optional(transactions, 'transactions', readArray) ?? []).map(readOutpoint)
    return underChainLock(em, async (inside) => {
      if (unlock && outpoints.length === 0) {
        await unlockEveryCoin(inside)
        return true
      }
      const coins = await coinsAt(inside, outpoints)
      for (const coin of coins) {
        if (coin === undefined || !coin.live)
          throw refuseCall('invalid_parameter', 'Invalid parameter, unknown transaction')
        if (coin.spentBy !== null)
          throw refuseCall('invalid_parameter', 'Invalid parameter, expected unspent output')
      }
      const changed = await (unlock ? unlockCoins : lockCoins)(inside, outpoints)
      if (changed < outpoints.length)
        throw refuseCall(
          'invalid_parameter',
          unlock ? 'Invalid parameter, expected locked output' : 'Invalid parameter, output already locked',
        )
      return true
    })
  },

  listlockunspent: async ({ em }) =>
    (await lockedCoins(em, MOST_LISTED)).map(({ txid, n }) => ({ txid: displayHash(txid), vout: n })),
}

function readOutpoint(value: JsonValue): Outpoint {
  const outpoint = readObject(value, 'transaction')
  const n = readInteger(memberOf(outpoint, 'vout'), 'vout')
  if (n < 0) throw refuseCall('invalid_parameter', 'Invalid parameter, vout cannot be negative')
  return { previousTransaction: readHash(memberOf(outpoint, 'txid'), 'txid'), previousOutput: n }
}
