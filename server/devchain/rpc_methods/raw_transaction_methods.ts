// Transactions as bytes: made, looked into, sent, fetched.
import { displayHash } from '../../../shared/proof/bitcoin/double_sha256.ts'
import { opReturnScript } from '../../../shared/proof/bitcoin/op_return.ts'
import {
  readTransaction,
  type Transaction,
  type TransactionOutput,
  transactionId,
  writeTransaction,
} from '../../../shared/proof/bitcoin/transaction.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { isJsonObject, type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import { acceptTransaction } from '../accept_transaction.ts'
import { scriptOf } from '../address.ts'
import { readAmount } from '../amount.ts'
import type { RpcMethods } from '../node.ts'
import { SEQUENCE_FINAL, SEQUENCE_REPLACEABLE } from '../parameters.ts'
import {
  optional,
  readArray,
  readBytes,
  readFlag,
  readHash,
  readInteger,
  readObject,
} from '../read_parameters.ts'
import { refuseCall } from '../rpc_refusal.ts'
import { isUnspendable } from '../script.ts'
import { blockByHash, readTip } from '../stored_block.ts'
import { transactionById } from '../stored_transaction.ts'
import { readDraft } from '../transaction_form.ts'
import { describeTransaction } from '../transaction_words.ts'

export const rawTransactionMethods: RpcMethods = {
  createrawtransaction: async (_, [inputs, outputs, lockTime, replaceable]) => {
    const until = optional(lockTime, 'locktime', readU32) ?? 0
    const mayReplace = optional(replaceable, 'replaceable', readFlag) ?? true
    const sequence = mayReplace ? SEQUENCE_REPLACEABLE : until > 0 ? SEQUENCE_FINAL - 1 : SEQUENCE_FINAL
    const transaction = {
      version: 2,
      inputs: readArray(inputs, 'inputs').map((input) => readInput(input, sequence)),
      outputs: outputEntries(outputs).map(readOutput),
      lockTime: until,
    }
    return toHex(writeTransaction(transaction))
  },

  decoderawtransaction: async (_, [hex]) => describeTransaction(decode(hex, readDraft)),

  sendrawtransaction: async ({ em }, [hex, maxFeeRate, maxBurn]) => {
    const transaction = decode(hex, readTransaction)
    const burn = maxBurn === undefined || maxBurn === null ? 0 : readAmount(maxBurn)
    if (transaction.outputs.some(({ value, script }) => value > burn && isUnspendable(script)))
      throw refuseCall(
        'missing_inputs',
        'Unspendable output exceeds maximum configured by user (maxburnamount)',
      )
    // Per thousand virtual bytes; 0 is no limit.
    const feeRate = maxFeeRate === undefined || maxFeeRate === null ? 10_000_000 : readAmount(maxFeeRate)
    await acceptTransaction(em, transaction, feeRate / 1000)
    return transactionId(transaction)
  },

  getrawtransaction: async ({ em }, [id, verbosity, inBlock]) => {
    const txid = readHash(id, 'txid')
    const block = optional(inBlock, 'blockhash', readHash)
    const found = await transactionById(em, txid)
    const isThere = found !== undefined && found.standing !== 'out'
    if (!isThere || (block !== undefined && found.blockHash?.equals(block) !== true))
      throw refuseCall(
        'not_found',
        'No such mempool or blockchain transaction. Use gettransaction for wallet transactions.',
      )
    if (verbosity === undefined || verbosity === null || verbosity === false || verbosity === 0)
      return toHex(found.raw)
    const described = { ...describeTransaction(readTransaction(found.raw)), hex: toHex(found.raw) }
    const holder = found.blockHash === null ? undefined : await blockByHash(em, found.blockHash)
    if (holder === undefined) return described
    return {
      ...described,
      blockhash: displayHash(holder.hash),
      confirmations: (await readTip(em)).height - holder.height + 1,
      time: holder.time,
      blocktime: holder.time,
    }
  },
}

/** @throws RpcRefusal `unreadable` when the bytes are no transaction */
export function decode(hex: JsonValue | undefined, read: (bytes: Uint8Array) => Transaction): Transaction {
  try {
    return read(readBytes(hex, 'hexstring'))
  } catch (error) {
    if (error instanceof RangeError) throw refuseCall('unreadable', 'TX decode failed')
    throw error
  }
}

function readInput(value: JsonValue, sequence: number) {
  const input = readObject(value, 'input')
  return {
    previousTransaction: readHash(memberOf(input, 'txid'), 'txid'),
    previousOutput: readU32(memberOf(input, 'vout'), 'vout'),
    script: new Uint8Array(),
    sequence: optional(memberOf(input, 'sequence'), 'sequence', readU32) ?? sequence,
    witness: [],
  }
}

/** A list of objects with one member each, or, as it was long ago, one object of them all. */
function outputEntries(outputs: JsonValue | undefined): (readonly [string, JsonValue])[] {
  const objects = isJsonObject(outputs) ? [outputs] : readArray(outputs, 'outputs').map(readOutputObject)
  const entries = objects.flatMap((object) => Object.entries(object))
  const addresses = entries.map(([name]) => name)
  if (new Set(addresses).size < addresses.length)
    throw refuseCall('invalid_parameter', 'Invalid parameter, duplicated address or data')
  return entries
}

function readOutputObject(value: JsonValue) {
  const object = readObject(value, 'output')
  if (Object.keys(object).length !== 1)
    throw refuseCall('invalid_parameter', 'Invalid parameter, key-value pair must contain exactly one key')
  return object
}

function readOutput([name, value]: readonly [string, JsonValue]): TransactionOutput {
  if (name === 'data') {
    const data = readBytes(value, 'Data')
    if (data.length > MOST_DATA)
      throw refuseCall('invalid_parameter', `Data is limited to ${MOST_DATA} bytes here`)
    return { value: 0n, script: opReturnScript(data) }
  }
  const script = scriptOf(name)
  if (script === undefined) throw refuseCall('not_found', `Invalid Bitcoin address: ${name.slice(0, 100)}`)
  return { value: BigInt(readAmount(value)), script }
}

/** The longest push that takes one byte of length. */
const MOST_DATA = 75

function readU32(value: JsonValue | undefined, name: string): number {
  const number = readInteger(value, name)
  if (number < 0 || number > 0xffff_ffff)
    throw refuseCall('invalid_parameter', `Invalid parameter, ${name} out of range`)
  return number
}
