// RPC methods about the pool of waiting transactions.
import { displayHash } from '../../../shared/proof/bitcoin/double_sha256.ts'
import { readTransaction } from '../../../shared/proof/bitcoin/transaction.ts'
import { inCoins } from '../amount.ts'
import type { RpcMethods } from '../node.ts'
import { readHash } from '../read_parameters.ts'
import { refuseCall } from '../rpc_refusal.ts'
import { withDescendants } from '../standing.ts'
import { transactionById, transactionsById } from '../stored_transaction.ts'
import { virtualSize, witnessHash } from '../transaction_form.ts'
import { isReplaceable } from './wallet_transaction_methods.ts'

export const poolMethods: RpcMethods = {
  getmempoolentry: async ({ em }, [id]) => {
    const found = await transactionById(em, readHash(id, 'txid'))
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
