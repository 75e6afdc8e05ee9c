// RPC methods that make and send transactions as bytes.
import { opReturnScript } from '../../../shared/proof/bitcoin/op_return.ts'
import {
  readTransaction,
  type Transaction,
  type TransactionOutput,
  transactionId,
  writeTransaction,
} from '../../../shared/proof/bitcoin/transaction.ts'
import { toHex } from '../../../shared/proof/bytes.ts'
import { type JsonValue, memberOf } from '../../../shared/proof/json_value.ts'
import { acceptTransaction } from '../accept_transaction.ts'
import type { RpcMethods } from '../node.ts'
import { SEQUENCE_FINAL, SEQUENCE_REPLACEABLE } from '../parameters.ts'
import {
  optional,
  readArray,
  readBytes,
  readFlag,
  readHashParameter,
  readInteger,
  readObject,
} from '../read_parameters.ts'
import { refuseCall } from '../rpc_refusal.ts'
import { isUnspendable } from '../transaction_form.ts'

export const rawTransactionMethods: RpcMethods = {
  createrawtransaction: async (_, [inputs, outputs, lockTime, replaceable]) => {
    const until = optional(lockTime, 'locktime', readU32) ?? 0
    const mayReplace = optional(replaceable, 'replaceable', readFlag) ?? true
    const sequence = mayReplace ? SEQUENCE_REPLACEABLE : until > 0 ? SEQUENCE_FINAL - 1 : SEQUENCE_FINAL
    const transaction = {
      version: 2,
      inputs: readArray(inputs, 'inputs').map((input) => readInput(input, sequence)),
      outputs: readOutputs(outputs),
      lockTime: until,
    }
    return toHex(writeTransaction(transaction))
  },

  sendrawtransaction: async ({ em }, [hex]) => {
    const transaction = decode(hex, readTransaction)
    if (transaction.outputs.some(({ value, script }) => value > 0 && isUnspendable(script)))
      throw refuseCall(
        'missing_inputs',
        'Unspendable output exceeds maximum configured by user (maxburnamount)',
      )
    await acceptTransaction(em, transaction)
    return transactionId(transaction)
  },
}

/** @throws RpcRefusal `unreadable` when the bytes are not a transaction */
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
    previousTransaction: readHashParameter(memberOf(input, 'txid'), 'txid'),
    previousOutput: readU32(memberOf(input, 'vout'), 'vout'),
    script: new Uint8Array(),
    sequence: optional(memberOf(input, 'sequence'), 'sequence', readU32) ?? sequence,
    witness: [],
  }
}

/**
 * Accepts at most one output, which must carry data. The wallet pays only to itself, and funding adds the change
 * output.
 */
function readOutputs(outputs: JsonValue | undefined): TransactionOutput[] {
  const [output, ...more] = readArray(outputs, 'outputs')
  if (output === undefined) return []
  const object = readObject(output, 'output')
  if (more.length > 0 || Object.keys(object).length !== 1)
    throw refuseCall('invalid_parameter', 'Invalid parameter, one output with one key is made here')
  const data = readBytes(memberOf(object, 'data'), 'Data')
  if (data.length > MOST_DATA)
    throw refuseCall('invalid_parameter', `Data is limited to ${MOST_DATA} bytes here`)
  return [{ value: 0n, script: opReturnScript(data) }]
}

/** The longest data push with a length of one byte. */
const MOST_DATA = 75

function readU32(value: JsonValue | undefined, name: string): number {
  const number = readInteger(value, name)
  if (number < 0 || number > 0xffff_ffff)
    throw refuseCall('invalid_parameter', `Invalid parameter, ${name} out of range`)
  return number
}
