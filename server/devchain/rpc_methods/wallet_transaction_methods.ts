// The RPC method that describes a transaction of the wallet.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { displayHash } from '../../../shared/proof/bitcoin/double_sha256.ts'
import { readTransaction, type Transaction } from '../../../shared/proof/bitcoin/transaction.ts'
import { bytesEqual, toHex } from '../../../shared/proof/bytes.ts'
import { bytes, int4, nullable } from '../../store/columns.ts'
import { rows } from '../../store/run.ts'
import { type RowFrom, statement } from '../../store/statement.ts'
import type { DevchainNode, RpcMethods } from '../node.ts'
import { inCoins, SEQUENCE_REPLACEABLE } from '../parameters.ts'
import { readHashParameter } from '../read_parameters.ts'
import { refuseCall } from '../rpc_refusal.ts'
import { blockByHash, readTip } from '../stored_block.ts'
import { coinsAt, type StoredTransaction, transactionById } from '../stored_transaction.ts'
import { witnessHash } from '../transaction_form.ts'

export const walletTransactionMethods: RpcMethods = {
  gettransaction: async ({ em, wallet }, [id]) => {
    const found = await transactionById(em, readHashParameter(id, 'txid'))
    const transaction = found === undefined ? undefined : readTransaction(found.raw)
    const flow = transaction === undefined ? undefined : await flowOf({ em, wallet }, transaction)
    if (found === undefined || transaction === undefined || flow?.isOurs !== true)
      throw refuseCall('not_found', 'Invalid or non-wallet transaction id')
    const rivals = await rivalsOf(em, found.txid)
    const confirmations = await confirmationsOf(em, found, rivals)
    return {
      amount: inCoins(flow.credit - flow.debit + (flow.debit > 0 ? found.fee : 0)),
      ...(flow.debit > 0 ? { fee: -inCoins(found.fee) } : {}),
      confirmations,
      ...(found.coinbase ? { generated: true } : {}),
      ...(await placeOf(em, found)),
      txid: displayHash(found.txid),
      wtxid: displayHash(witnessHash(transaction)),
      walletconflicts: rivals.map(({ txid }) => displayHash(txid)),
      time: found.arrivedAt,
      timereceived: found.arrivedAt,
      'bip125-replaceable': found.standing === 'pool' && isReplaceable(transaction) ? 'yes' : 'no',
      hex: toHex(found.raw),
    }
  },
}

export const isReplaceable = ({ inputs }: Transaction): boolean =>
  inputs.some(({ sequence }) => sequence <= SEQUENCE_REPLACEABLE)

interface Flow {
  /** Satoshis that leave the wallet and that it receives. */
  readonly debit: number
  readonly credit: number
  readonly isOurs: boolean
}

async function flowOf(
  { em, wallet }: Pick<DevchainNode, 'em' | 'wallet'>,
  { inputs, outputs }: Transaction,
): Promise<Flow> {
  const coins = await coinsAt(em, inputs)
  const spent = coins.filter((coin) => coin !== undefined && bytesEqual(coin.script, wallet.script))
  const ours = outputs.map(({ script }) => bytesEqual(script, wallet.script))
  return {
    debit: spent.reduce((sum, coin) => sum + (coin?.amount ?? 0), 0),
    credit: outputs.reduce((sum, { value }, at) => sum + (ours[at] === true ? Number(value) : 0), 0),
    isOurs: spent.length > 0 || ours.includes(true),
  }
}

/** Every known transaction that spends one of the same inputs. Those on the chain have a height. Reads by index. */
const rivalsOf = (em: EntityManager, txid: Uint8Array): Promise<readonly RowFrom<typeof RIVALS>[]> =>
  rows(em, RIVALS({ txid }))

const RIVALS = statement(
  { txid: bytes, height: nullable(int4) },
  ({ txid }: { txid: Uint8Array }) => sql`
  SELECT DISTINCT t.txid, t.height
    FROM development_inputs mine
    JOIN development_inputs other ON other.txid = mine.txid AND other.n = mine.n AND other.spender <> mine.spender
    JOIN development_transactions t ON t.txid = other.spender
   WHERE mine.spender = ${txid} ORDER BY t.txid LIMIT 100`,
)

/** Negative when a conflicting transaction is confirmed: minus its depth. */
async function confirmationsOf(
  em: EntityManager,
  { height }: StoredTransaction,
  rivals: readonly { readonly height: number | null }[],
): Promise<number> {
  const tip = await readTip(em)
  if (height !== null) return tip.height - height + 1
  const buried = rivals.flatMap((rival) => (rival.height === null ? [] : [rival.height]))
  return buried.length === 0 ? 0 : -(tip.height - Math.min(...buried) + 1)
}

async function placeOf(em: EntityManager, { txid, blockHash }: StoredTransaction): Promise<object> {
  const block = blockHash === null ? undefined : await blockByHash(em, blockHash)
  if (block === undefined) return { trusted: true }
  return {
    blockhash: displayHash(block.hash),
    blockheight: block.height,
    blockindex: block.transactionIds.findIndex((one) => bytesEqual(one, txid)),
    blocktime: block.time,
  }
}
