// What a node asks of a transaction beside its bytes: its ids, its weight (BIP141), and what kind it is.
import { BitcoinCursor } from '../../shared/proof/bitcoin/bitcoin_cursor.ts'
import { doubleSha256 } from '../../shared/proof/bitcoin/double_sha256.ts'
import {
  readTransaction,
  type Transaction,
  type TransactionInput,
  writeTransaction,
} from '../../shared/proof/bitcoin/transaction.ts'

/** The output an input spends; internal byte order. */
export type Outpoint = Pick<TransactionInput, 'previousTransaction' | 'previousOutput'>

/** What a coinbase's input refers to: nothing. */
export const NOWHERE: Outpoint = { previousTransaction: new Uint8Array(32), previousOutput: 0xffff_ffff }

export const isCoinbase = ({ inputs: [first, ...more] }: Transaction): boolean =>
  first !== undefined &&
  more.length === 0 &&
  first.previousOutput === NOWHERE.previousOutput &&
  first.previousTransaction.every((byte) => byte === 0)

/** Internal order, over witness data too. */
export const witnessHash = (transaction: Transaction): Uint8Array =>
  doubleSha256(writeTransaction(transaction))

const withoutWitnesses = (transaction: Transaction): Transaction => ({
  ...transaction,
  inputs: transaction.inputs.map((input) => ({ ...input, witness: [] })),
})

/** Weight units: bytes without witnesses count four times, witnesses once. */
export const weightOf = (transaction: Transaction): number =>
  3 * strippedSize(transaction) + writeTransaction(transaction).length

export const strippedSize = (transaction: Transaction): number =>
  writeTransaction(withoutWitnesses(transaction)).length

/** What fees are reckoned by. */
export const virtualSize = (weight: number): number => Math.ceil(weight / 4)

/**
 * Also reads a transaction that has no inputs yet, whose first bytes look like the marker of one with witnesses. That
 * other reading comes first, as in Bitcoin Core. RangeError when neither fits.
 */
export function readDraft(bytes: Uint8Array): Transaction {
  try {
    return readTransaction(bytes)
  } catch (error) {
    if (!(error instanceof RangeError) || bytes[4] !== 0) throw error
    return readWithoutInputs(bytes)
  }
}

function readWithoutInputs(bytes: Uint8Array): Transaction {
  const cursor = new BitcoinCursor(bytes)
  const version = cursor.u32()
  cursor.take(1)
  const outputs = []
  for (let left = cursor.compactSize(); left > 0; left--)
    outputs.push({ value: cursor.u64(), script: cursor.sized() })
  const lockTime = cursor.u32()
  if (!cursor.atEnd) throw new RangeError('bytes behind the transaction')
  return { version, inputs: [], outputs, lockTime }
}
