// Adds inputs to a transaction until they pay its outputs and its fee, and adds an output for the change.
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Transaction } from '../../shared/proof/bitcoin/transaction.ts'
import { bytesEqual } from '../../shared/proof/bytes.ts'
import { bytes, float8, int4, nullable } from '../store/columns.ts'
import { rows } from '../store/run.ts'
import { statement } from '../store/statement.ts'
import { COINBASE_MATURITY, DUST } from './parameters.ts'
import { refuseCall } from './rpc_refusal.ts'
import { readTip } from './stored_block.ts'
import { coinsAt } from './stored_transaction.ts'
import { type Outpoint, strippedSize, virtualSize } from './transaction_form.ts'
import { type Wallet, WITNESS_BYTES } from './wallet.ts'

interface WalletCoin {
  readonly txid: Uint8Array
  readonly n: number
  /** Satoshis. */
  readonly amount: number
  /** Null while the coin is not confirmed. */
  readonly height: number | null
}

interface Choice {
  /** The wallet's script. */
  readonly script: Uint8Array
  readonly standing: 'chain' | 'pool'
  readonly limit: number
}

/** Largest coins first, without coinbases that are too young. Reads an index of unspent outputs. */
export async function spendableCoins(
  em: EntityManager,
  { script, standing, limit }: Choice,
): Promise<readonly WalletCoin[]> {
  const { height } = await readTip(em)
  return rows(em, SPENDABLE({ script, standing, limit, oldEnough: height + 1 - COINBASE_MATURITY }))
}

const SPENDABLE = statement(
  { txid: bytes, n: float8, amount: float8, height: nullable(int4) },
  ({ script, standing, limit, oldEnough }: Choice & { oldEnough: number }) => sql`
  SELECT o.txid, o.n::float8 AS n, o.amount::float8 AS amount, t.height
    FROM development_outputs o JOIN development_transactions t ON t.txid = o.txid
   WHERE o.script = ${script} AND o.live AND o.spent_by IS NULL
     AND t.standing = ${standing} AND (NOT t.coinbase OR t.height <= ${oldEnough})
   ORDER BY o.amount DESC, o.txid, o.n LIMIT ${limit}`,
)

export interface Funding {
  /** Satoshis per virtual byte. */
  readonly feeRate: number
  /** Index of the change output. It is last when undefined. */
  readonly changePosition: number | undefined
  /** Sequence of the added inputs. */
  readonly sequence: number
}

interface FundedTransaction {
  readonly transaction: Transaction
  /** Satoshis. */
  readonly fee: number
  /** -1 when there is no change output. */
  readonly changePosition: number
}

/** Maximum number of coins read for one transaction. The largest come first, so a few are enough. */
const MOST_COINS = 100

/**
 * Existing inputs stay unchanged and first.
 * @throws RpcRefusal `wallet` when the wallet has too few coins
 */
export async function fundTransaction(
  { em, wallet }: { em: EntityManager; wallet: Wallet },
  draft: Transaction,
  funding: Funding,
): Promise<FundedTransaction> {
  const given = await givenAmounts({ em, wallet }, draft)
  let funded = settle(draft, { given, change: wallet.script, funding })
  for (const standing of ['chain', 'pool'] as const) {
    if (funded !== undefined) break
    const choice = await spendableCoins(em, { script: wallet.script, standing, limit: MOST_COINS })
    funded = choose(draft, choice, { given, change: wallet.script, funding })
  }
  if (funded === undefined) throw refuseCall('wallet', 'Insufficient funds')
  return funded
}

interface Means {
  /** Total of the draft's own inputs, in satoshis. */
  readonly given: number
  /** The script for the change. */
  readonly change: Uint8Array
  readonly funding: Funding
}

/** Adds coins one by one until they are enough. */
function choose(
  draft: Transaction,
  coins: readonly WalletCoin[],
  means: Means,
): FundedTransaction | undefined {
  const free = coins.filter((coin) => !draft.inputs.some((input) => spends(input, coin)))
  let inputs = draft.inputs
  let given = means.given
  for (const { txid, n, amount } of free) {
    const added = { previousTransaction: txid, previousOutput: n, sequence: means.funding.sequence }
    inputs = [...inputs, { ...added, script: new Uint8Array(), witness: [] }]
    given += amount
    const funded = settle({ ...draft, inputs }, { ...means, given })
    if (funded !== undefined) return funded
  }
  return undefined
}

/** The rest after the fee becomes change. A rest below the dust limit is added to the fee. */
function settle(draft: Transaction, { given, change, funding }: Means): FundedTransaction | undefined {
  if (draft.inputs.length === 0) return undefined
  const left = given - draft.outputs.reduce((sum, { value }) => sum + Number(value), 0)
  const position = funding.changePosition ?? draft.outputs.length
  const withChange = (value: number): Transaction => ({
    ...draft,
    outputs: draft.outputs.toSpliced(position, 0, { value: BigInt(value), script: change }),
  })
  const fee = feeFor(withChange(0), funding.feeRate)
  if (left - fee >= DUST) return { transaction: withChange(left - fee), fee, changePosition: position }
  return left >= feeFor(draft, funding.feeRate) && draft.outputs.length > 0
    ? { transaction: draft, fee: left, changePosition: -1 }
    : undefined
}

const MARKER_AND_FLAG = 2

/** The fee for the size that the transaction will have after signing. */
function feeFor(unsigned: Transaction, feeRate: number): number {
  const weight = 4 * strippedSize(unsigned) + MARKER_AND_FLAG + WITNESS_BYTES * unsigned.inputs.length
  return Math.ceil(feeRate * virtualSize(weight))
}

/** Also accepts coins that a transaction in the pool spends, because this transaction may replace that one. */
async function givenAmounts(
  { em, wallet }: { em: EntityManager; wallet: Wallet },
  { inputs }: Transaction,
): Promise<number> {
  const coins = await coinsAt(em, inputs)
  return coins.reduce((sum, coin) => {
    const isOurs =
      coin?.live === true && coin.spenderHeight === null && bytesEqual(coin.script, wallet.script)
    if (coin === undefined || !isOurs) throw refuseCall('wallet', 'Invalid pre-selected input')
    return sum + coin.amount
  }, 0)
}

const spends = ({ previousTransaction, previousOutput }: Outpoint, { txid, n }: WalletCoin): boolean =>
  previousOutput === n && bytesEqual(previousTransaction, txid)
