// A transaction and its scripts in the words of Bitcoin Core's JSON.
import { displayHash, doubleSha256 } from '../../shared/proof/bitcoin/double_sha256.ts'
import {
  type Transaction,
  type TransactionInput,
  transactionId,
  writeTransaction,
} from '../../shared/proof/bitcoin/transaction.ts'
import { toHex } from '../../shared/proof/bytes.ts'
import { addressOf } from './address.ts'
import { inCoins } from './amount.ts'
import { isUnspendable, witnessKeyHash } from './script.ts'
import { isCoinbase, virtualSize, weightOf } from './transaction_form.ts'

export function describeTransaction(transaction: Transaction): object {
  const bytes = writeTransaction(transaction)
  const weight = weightOf(transaction)
  return {
    txid: transactionId(transaction),
    hash: displayHash(doubleSha256(bytes)),
    version: transaction.version,
    size: bytes.length,
    vsize: virtualSize(weight),
    weight,
    locktime: transaction.lockTime,
    vin: transaction.inputs.map((input) => describeInput(input, isCoinbase(transaction))),
    vout: transaction.outputs.map(({ value, script }, n) => ({
      value: inCoins(Number(value)),
      n,
      scriptPubKey: describeScript(script),
    })),
  }
}

function describeInput({ script, witness, sequence, ...input }: TransactionInput, coinbase: boolean): object {
  const txinwitness = witness.length === 0 ? {} : { txinwitness: witness.map(toHex) }
  if (coinbase) return { coinbase: toHex(script), ...txinwitness, sequence }
  return {
    txid: displayHash(input.previousTransaction),
    vout: input.previousOutput,
    scriptSig: { hex: toHex(script) },
    ...txinwitness,
    sequence,
  }
}

const describeScript = (script: Uint8Array): object => ({
  hex: toHex(script),
  address: addressOf(script),
  type: isUnspendable(script)
    ? 'nulldata'
    : witnessKeyHash(script) !== undefined
      ? 'witness_v0_keyhash'
      : 'nonstandard',
})
