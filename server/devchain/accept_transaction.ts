// Accepts a signed transaction into the pool, or refuses it with Bitcoin Core's reason.
import type { EntityManager } from '@mikro-orm/postgresql'
import { type Transaction, transactionHash } from '../../shared/proof/bitcoin/transaction.ts'
import { toHex } from '../../shared/proof/bytes.ts'
import { db } from '../store/run.ts'
import {
  COIN,
  COINBASE_MATURITY,
  DUST,
  MOST_FEE_RATE,
  POOL_LIMIT,
  RELAY_FEE_RATE,
  REPLACEMENT_LIMIT,
  SEQUENCE_FINAL,
  SHORTEST_TRANSACTION,
  STANDARD_WEIGHT,
} from './parameters.ts'
import { refuseCall } from './rpc_refusal.ts'
import { putIntoPool, putOut, underChainLock, withDescendants } from './standing.ts'
import { readTip, type StoredBlock } from './stored_block.ts'
import { type Coin, coinsAt, insertTransactions, transactionById } from './stored_transaction.ts'
import { isCoinbase, isUnspendable, strippedSize, virtualSize, weightOf } from './transaction_form.ts'
import { maySpend } from './wallet.ts'

/** @throws RpcRefusal with Bitcoin Core's word for the first failed check */
function checkForm(transaction: Transaction): void {
  const complaint = CHECKS.find(([, isWrong]) => isWrong(transaction))
  if (complaint !== undefined) throw refuseCall('refused', complaint[0])
}

const MOST_MONEY = 21_000_000n * BigInt(COIN)

const CHECKS: readonly (readonly [complaint: string, isWrong: (transaction: Transaction) => boolean])[] = [
  ['bad-txns-vin-empty', ({ inputs }) => inputs.length === 0],
  ['bad-txns-vout-empty', ({ outputs }) => outputs.length === 0],
  ['tx-size', (transaction) => weightOf(transaction) > STANDARD_WEIGHT],
  ['bad-txns-vout-toolarge', ({ outputs }) => outputs.some(({ value }) => value > MOST_MONEY)],
  [
    'bad-txns-txouttotal-toolarge',
    ({ outputs }) => outputs.reduce((sum, { value }) => sum + value, 0n) > MOST_MONEY,
  ],
  ['bad-txns-inputs-duplicate', spendsTwice],
  ['coinbase', isCoinbase],
  ['version', ({ version }) => version < 1 || version > 2],
  ['tx-size-small', (transaction) => strippedSize(transaction) < SHORTEST_TRANSACTION],
  ['dust', ({ outputs }) => outputs.some(({ value, script }) => value < DUST && !isUnspendable(script))],
  ['non-final', (transaction) => saysTime(transaction)],
  ['non-BIP68-final', (transaction) => saysAge(transaction)],
]

function spendsTwice({ inputs }: Transaction): boolean {
  const spent = inputs.map((input) => `${toHex(input.previousTransaction)}:${input.previousOutput}`)
  return new Set(spent).size < spent.length
}

/** Time locks are refused, because this chain mines on demand and its blocks can be removed in tests. */
const saysTime = ({ lockTime, inputs }: Transaction): boolean =>
  lockTime > 0 && inputs.some(({ sequence }) => sequence !== SEQUENCE_FINAL)

const saysAge = ({ version, inputs }: Transaction): boolean =>
  version >= 2 && inputs.some(({ sequence }) => sequence < AGE_DISABLED && sequence !== 0)

/** An input with this sequence or a higher one has no relative time lock (BIP68). */
const AGE_DISABLED = 0x8000_0000

/**
 * Sending a transaction that already waits changes nothing. A transaction that spends the same outputs as others in
 * the pool replaces them if its fee is high enough.
 * @throws RpcRefusal
 */
export function acceptTransaction(em: EntityManager, transaction: Transaction): Promise<void> {
  checkForm(transaction)
  const txid = transactionHash(transaction)
  return underChainLock(em, async (inside) => {
    const known = await transactionById(inside, txid)
    if (known?.standing === 'pool') return
    if (known?.standing === 'chain')
      throw refuseCall('already_in_chain', 'Transaction outputs already in utxo set')
    const tip = await readTip(inside)
    const coins = await coinsToSpend(inside, transaction, tip)
    const fee = feeOf(transaction, coins)
    const size = virtualSize(weightOf(transaction))
    if (fee > MOST_FEE_RATE * size)
      throw refuseCall(
        'missing_inputs',
        'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)',
      )
    if (fee < RELAY_FEE_RATE * size) throw refuseCall('refused', 'min relay fee not met')
    if (!coins.every((coin, at) => maySpend(transaction, at, coin)))
      throw refuseCall('refused', 'mandatory-script-verify-flag-failed (signature or key does not fit)')
    await makeRoom(inside, { coins, fee, size })
    if (known === undefined) await insertTransactions(inside, [{ transaction, fee }])
    await putIntoPool(inside, [txid])
  })
}

/** Returns one coin per input. Each coin must exist, be unspent on the chain, and be old enough. */
async function coinsToSpend(em: EntityManager, { inputs }: Transaction, tip: StoredBlock): Promise<Coin[]> {
  const found = await coinsAt(em, inputs)
  return found.map((coin) => {
    if (coin === undefined || !coin.live || coin.spenderHeight !== null)
      throw refuseCall('missing_inputs', 'bad-txns-inputs-missingorspent')
    if (coin.coinbase && tip.height + 1 - (coin.height ?? tip.height) < COINBASE_MATURITY)
      throw refuseCall('refused', 'bad-txns-premature-spend-of-coinbase')
    return coin
  })
}

function feeOf({ outputs }: Transaction, coins: readonly Coin[]): number {
  const given = coins.reduce((sum, { amount }) => sum + amount, 0)
  const fee = given - outputs.reduce((sum, { value }) => sum + Number(value), 0)
  if (fee < 0) throw refuseCall('refused', 'bad-txns-in-belowout')
  return fee
}

/**
 * Removes the transactions in the pool that spend the same coins, if the new one pays more than all of them (BIP125
 * rules 3 to 5).
 * @throws RpcRefusal
 */
async function makeRoom(
  em: EntityManager,
  { coins, fee, size }: { coins: readonly Coin[]; fee: number; size: number },
): Promise<void> {
  const rivals = coins.flatMap(({ spentBy }) => (spentBy === null ? [] : [spentBy]))
  if (rivals.length === 0) return checkPoolLimit(em)
  const leaving = await withDescendants(em, rivals)
  if (coins.some(({ txid }) => leaving.some((one) => one.txid.equals(txid))))
    throw refuseCall('refused', 'bad-txns-spends-conflicting-tx')
  if (leaving.length > REPLACEMENT_LIMIT) throw refuseCall('refused', 'too many potential replacements')
  const paid = leaving.reduce((sum, one) => sum + one.fee, 0)
  const outbid = leaving
    .filter(({ txid }) => rivals.some((rival) => rival.equals(txid)))
    .every((rival) => fee * virtualSize(rival.weight) > rival.fee * size)
  if (!outbid || fee < paid + RELAY_FEE_RATE * size)
    throw refuseCall('refused', 'insufficient fee, rejecting replacement')
  await putOut(em, rivals)
}

async function checkPoolLimit(em: EntityManager): Promise<void> {
  const { waiting } = await db(em)
    .selectFrom('development_transactions')
    .select(({ fn }) => fn.countAll<string>().as('waiting'))
    .where('standing', '=', 'pool')
    .executeTakeFirstOrThrow()
  if (Number(waiting) >= POOL_LIMIT) throw refuseCall('refused', 'mempool full')
}
