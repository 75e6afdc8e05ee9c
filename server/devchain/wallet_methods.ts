// RPC methods with which a transaction is drafted, funded, signed and sent. Each spends one coin of the wallet,
// carries data, and pays the rest back to the wallet.
import type { EntityManager } from '@mikro-orm/postgresql'
import {
  opReturnScript,
  readTransaction,
  type Transaction,
  type TransactionOutput,
  transactionHash,
  transactionId,
  writeTransaction,
} from '../../shared/proof/bitcoin/transaction.ts'
import { bytesEqual, readOrUndefined, toHex } from '../../shared/proof/bytes.ts'
import { type JsonValue, memberOf } from '../../shared/proof/json_value.ts'
import {
  type DevchainNode,
  inCoins,
  optional,
  type RpcMethods,
  readArray,
  readCount,
  readHashParameter,
  readHexParameter,
  readNumber,
  readObject,
  refuseCall,
} from './rpc_method.ts'
import { underChainLock } from './stored_block.ts'
import {
  type Coin,
  coinAt,
  insertTransactions,
  largestCoin,
  MOST_WEIGHT,
  putIntoPool,
  transactionById,
  weightOf,
} from './stored_transaction.ts'
import { maySpend } from './wallet.ts'

/** The input sequence that allows a replacement (BIP125). A lower one may wait for a time or an age. */
const SEQUENCE_REPLACEABLE = 0xffff_fffd

export const walletMethods: RpcMethods = {
  /** A draft without an input gets the largest coin of the wallet here, because each spends exactly one. */
  createrawtransaction: async ({ em, wallet }, [inputs, outputs, lockTime]) => {
    if (optional(lockTime, 'locktime', readCount))
      throw refuseCall('invalid_parameter', 'Nothing waits for a time here')
    const [given, ...more] = readArray(inputs, 'inputs')
    if (more.length > 0) throw refuseCall('invalid_parameter', 'Invalid parameter, one coin is spent here')
    const output = readData(outputs)
    const spent = given === undefined ? await largestCoin(em, wallet.script) : readInput(given)
    if (spent === undefined) throw refuseCall('wallet', 'Insufficient funds')
    const input = { sequence: SEQUENCE_REPLACEABLE, ...spent, script: new Uint8Array(), witness: [] }
    return toHex(writeTransaction({ version: 2, inputs: [input], outputs: [output], lockTime: 0 }))
  },

  /** Adds the change behind the other outputs. */
  fundrawtransaction: async (node, [hex, options]) => {
    const draft = decode(hex)
    const feeRate = readFeeRate(options, draft)
    const coin = await ownCoin(node, draft)
    if (coin === undefined) throw refuseCall('wallet', 'Invalid pre-selected input')
    const withChange = (value: bigint): Transaction => ({
      ...draft,
      outputs: [...draft.outputs, { value, script: node.wallet.script }],
    })
    const fee = Math.ceil(feeRate * Math.ceil((weightOf(withChange(0n)) + WITNESS_WEIGHT) / 4))
    const change = BigInt(coin.amount - fee) - paidBy(draft)
    if (change < 0n) throw refuseCall('wallet', 'Insufficient funds')
    return {
      hex: toHex(writeTransaction(withChange(change))),
      fee: inCoins(fee),
      changepos: draft.outputs.length,
    }
  },

  signrawtransactionwithwallet: async (node, [hex]) => {
    const draft = decode(hex)
    const coin = await ownCoin(node, draft)
    if (coin === undefined) return { hex: toHex(writeTransaction(draft)), complete: false }
    const witness = node.wallet.witness(draft, 0, coin.amount)
    const inputs = draft.inputs.map((input) => ({ ...input, witness }))
    return { hex: toHex(writeTransaction({ ...draft, inputs })), complete: true }
  },

  sendrawtransaction: async ({ em }, [hex]) => {
    const transaction = decode(hex)
    await underChainLock(em, (inside) => accept(inside, transaction))
    return transactionId(transaction)
  },
}

/** @throws RpcRefusal `unreadable` when the bytes are not a transaction */
function decode(hex: JsonValue | undefined): Transaction {
  const transaction = readOrUndefined(() => readTransaction(readHexParameter(hex, 'hexstring')))
  if (transaction === undefined) throw refuseCall('unreadable', 'TX decode failed')
  return transaction
}

function readInput(value: JsonValue) {
  const input = readObject(value, 'input')
  return {
    previousTransaction: readHashParameter(memberOf(input, 'txid'), 'txid'),
    previousOutput: readCount(memberOf(input, 'vout'), 'vout'),
    sequence: optional(memberOf(input, 'sequence'), 'sequence', readCount) ?? SEQUENCE_REPLACEABLE,
  }
}

/** The longest data push with a length of one byte. */
const MOST_DATA = 75

/** One output, which must carry data: the wallet pays only to itself. */
function readData(outputs: JsonValue | undefined): TransactionOutput {
  const [output, ...more] = readArray(outputs, 'outputs')
  const object = readObject(output, 'output')
  if (more.length > 0 || Object.keys(object).length !== 1)
    throw refuseCall('invalid_parameter', 'Invalid parameter, one output with one key is made here')
  const data = readHexParameter(memberOf(object, 'data'), 'Data')
  if (data.length > MOST_DATA)
    throw refuseCall('invalid_parameter', `Data is limited to ${MOST_DATA} bytes here`)
  return { value: 0n, script: opReturnScript(data) }
}

const FUNDING_OPTIONS: ReadonlySet<string> = new Set(['fee_rate', 'changePosition', 'replaceable'])
/** Satoshis per virtual byte. A higher rate than the highest is refused as a mistake. */
const FEE_RATES = { usual: 2, most: 100_000 } as const

/**
 * What signing adds in weight units: marker and flag, then a count, the longest signature with its kind, and the
 * compressed key, each with a length.
 */
const WITNESS_WEIGHT = 2 + 1 + 1 + 72 + 1 + 33

function readFeeRate(given: JsonValue | undefined, { outputs }: Transaction): number {
  const options = optional(given, 'options', readObject) ?? {}
  for (const name of Object.keys(options))
    if (!FUNDING_OPTIONS.has(name)) throw refuseCall('wrong_type', `Unexpected key ${name.slice(0, 50)}`)
  const place = optional(memberOf(options, 'changePosition'), 'changePosition', readCount)
  if (place !== undefined && place !== outputs.length)
    throw refuseCall('invalid_parameter', 'changePosition out of bounds')
  const rate = optional(memberOf(options, 'fee_rate'), 'fee_rate', readNumber) ?? FEE_RATES.usual
  if (rate < 0 || rate > FEE_RATES.most) throw refuseCall('wrong_type', 'fee_rate out of range')
  return rate
}

/** The coin that it spends, also when a transaction of the pool spends it. Undefined when the wallet may not. */
async function ownCoin(
  { em, wallet }: DevchainNode,
  { inputs: [input, ...more] }: Transaction,
): Promise<Coin | undefined> {
  const coin = input === undefined || more.length > 0 ? undefined : await coinAt(em, input)
  const isOurs = coin?.live === true && coin.spenderHeight === null && bytesEqual(coin.script, wallet.script)
  return isOurs ? coin : undefined
}

const paidBy = ({ outputs }: Transaction): bigint => outputs.reduce((sum, { value }) => sum + value, 0n)

/**
 * Puts the transaction into the pool. Sending one that already waits changes nothing. The wallet is the only writer,
 * so nothing takes the place of what waits. Must be called under the chain's lock.
 * @throws RpcRefusal with Bitcoin Core's word for the first failed check
 */
async function accept(em: EntityManager, transaction: Transaction): Promise<void> {
  const txid = transactionHash(transaction)
  const known = await transactionById(em, txid)
  if (known?.standing === 'pool') return
  if (known?.standing === 'chain')
    throw refuseCall('already_in_chain', 'Transaction outputs already in utxo set')
  if (weightOf(transaction) > MOST_WEIGHT) throw refuseCall('refused', 'tx-size')
  const [input, ...more] = transaction.inputs
  if (input === undefined || more.length > 0)
    throw refuseCall('refused', 'bad-txns-vin (one coin is spent here)')
  if (transaction.outputs.length === 0) throw refuseCall('refused', 'bad-txns-vout-empty')
  if (transaction.lockTime !== 0 || input.sequence < SEQUENCE_REPLACEABLE)
    throw refuseCall('refused', 'non-final')
  const coin = await coinAt(em, input)
  if (coin?.live !== true || coin.spenderHeight !== null)
    throw refuseCall('missing_inputs', 'bad-txns-inputs-missingorspent')
  if (coin.spentBy !== null) throw refuseCall('refused', 'txn-mempool-conflict')
  if (!coin.isRipe) throw refuseCall('refused', 'bad-txns-premature-spend-of-coinbase')
  const fee = BigInt(coin.amount) - paidBy(transaction)
  if (fee < 0n) throw refuseCall('refused', 'bad-txns-in-belowout')
  if (!maySpend(transaction, 0, coin))
    throw refuseCall('refused', 'mandatory-script-verify-flag-failed (signature or key does not fit)')
  if (known === undefined) await insertTransactions(em, [{ transaction, fee: Number(fee) }])
  await putIntoPool(em, [txid])
}
