// A node that lets what pays more take the place of what waits (BIP125): every Bitcoin node does, the development chain
// does not, as its wallet is its only writer.
import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { underChainLock } from '../../../server/devchain/stored_block.ts'
import { coinAt, weightOf } from '../../../server/devchain/stored_transaction.ts'
import type { BitcoinRpc } from '../../../server/domain/commitments/chains/bitcoin_rpc.ts'
import type { Store } from '../../../server/store/open_store.ts'
import { internalHash } from '../../../shared/proof/bitcoin/bitcoin_bytes.ts'
import {
  readTransaction,
  type Transaction,
  transactionHash,
} from '../../../shared/proof/bitcoin/transaction.ts'
import { bytesEqual, fromHex } from '../../../shared/proof/bytes.ts'
import { putOut, withDescendants } from './devchain_branches.ts'

export function replacingRpc(rpc: BitcoinRpc, store: Pick<Store, 'em'>): BitcoinRpc {
  const call: BitcoinRpc['call'] = async (method, parameters, result) => {
    if (method === 'sendrawtransaction') {
      const transaction = readTransaction(fromHex(z.string().parse(parameters[0])))
      await underChainLock(store.em(), (em) => makeRoom(em, transaction))
    }
    if (method !== 'getmempoolentry') return rpc.call(method, parameters, result)
    const entry = await rpc.call(method, parameters, z.looseObject({ fees: z.looseObject({}) }))
    const together = await withDescendants(store.em(), [internalHash(z.string().parse(parameters[0]))])
    return result.parse({ ...entry, fees: { ...entry.fees, descendant: paid(together) / 1e8 } })
  }
  return { ...rpc, call }
}

const paid = (transactions: readonly { readonly fee: number }[]): number =>
  transactions.reduce((sum, { fee }) => sum + fee, 0)

/** Takes out what spends the same coin, if the new one pays for itself and for all that goes (rules 3 and 4). */
async function makeRoom(em: EntityManager, transaction: Transaction): Promise<void> {
  const [input] = transaction.inputs
  const coin = input === undefined ? undefined : await coinAt(em, input)
  const rival = coin?.spentBy ?? undefined
  if (coin === undefined || rival === undefined || coin.spenderHeight !== null) return
  if (bytesEqual(rival, transactionHash(transaction))) return
  const fee = coin.amount - transaction.outputs.reduce((sum, { value }) => sum + Number(value), 0)
  const leaving = await withDescendants(em, [rival])
  if (fee >= paid(leaving) + Math.ceil(weightOf(transaction) / 4)) await putOut(em, [rival])
}
