// Adds inputs until a transaction can pay what it pays out and its fee, and an output for the change.
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Transaction } from '../../shared/proof/bitcoin/transaction.ts'
import { bytesEqual } from '../../shared/proof/bytes.ts'
import { DUST } from './parameters.ts'
import { refuseCall } from './rpc_refusal.ts'
import { coinsAt } from './stored_transaction.ts'
import { type Outpoint, strippedSize, virtualSize } from './transaction_form.ts'
import { type Wallet, WITNESS_BYTES } from './wallet.ts'
import { spendableCoins, type WalletCoin } from './wallet_coins.ts'

export interface Funding {
  /** Satoshis per virtual byte. */
  readonly feeRate: number
  /** Where the change goes among the outputs; last when left out. */
  readonly changePosition: number | undefined
  /** Of the inputs that are added. */
  readonly sequence: number
}

export interface FundedTransaction {
  readonly transaction: Transaction
  /** Satoshis. */
  readonly fee: number
  /** -1 without change. */
  readonly changePosition: number
}

/** Coins looked at for one transaction; they come largest first, so a handful will do. */
const MOST_COINS = 100

/** Inputs that are there already stay, as they are and in front. */
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
  /** Satoshis that the draft's own inputs bring. */
  readonly given: number
  /** Where change is paid to. */
  readonly change: Uint8Array
  readonly funding: Funding
}

/** As few of the coins as it takes. */
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

/** What is left after the fee becomes change; too little of it to be worth an output becomes fee. */
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

/** By the size it will have once signed. */
function feeFor(unsigned: Transaction, feeRate: number): number {
  const weight = 4 * strippedSize(unsigned) + MARKER_AND_FLAG + WITNESS_BYTES * unsigned.inputs.length
  return Math.ceil(feeRate * virtualSize(weight))
}

/** Also of coins that another waiting transaction spends: this one may be there to replace it. */
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
