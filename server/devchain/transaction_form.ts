// Properties of a transaction: its hash with witnesses, its weight (BIP141), whether it is a coinbase; and the output
// scripts that this chain writes and reads.
import { createHash } from 'node:crypto'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { BitcoinCursor } from '../../shared/proof/bitcoin/bitcoin_cursor.ts'
import { doubleSha256 } from '../../shared/proof/bitcoin/double_sha256.ts'
import {
  readTransaction,
  type Transaction,
  type TransactionInput,
  writeTransaction,
} from '../../shared/proof/bitcoin/transaction.ts'
import { concatBytes } from '../../shared/proof/bytes.ts'

const OP_RETURN = 0x6a

/** The script that pays to the key with this HASH160 (BIP141, version 0). */
export const payToWitnessKey = (keyHash: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(0, 20), keyHash)

/** Returns the HASH160 to which the script pays, undefined for another kind of script. */
export const witnessKeyHash = (script: Uint8Array): Uint8Array | undefined =>
  script.length === 22 && script[0] === 0 && script[1] === 20 ? script.subarray(2) : undefined

/** Returns whether an output with this script can never be spent. */
export const isUnspendable = (script: Uint8Array): boolean => script[0] === OP_RETURN

export const hash160 = (bytes: Uint8Array): Uint8Array =>
  ripemd160(createHash('sha256').update(bytes).digest())

/** A push of at most 75 bytes. */
export const push = (data: Uint8Array): Uint8Array => concatBytes(Uint8Array.of(data.length), data)

/** The height as the first data of a coinbase: the shortest push of the number (BIP34). */
export function pushHeight(height: number): Uint8Array {
  if (height <= 16) return Uint8Array.of(height === 0 ? 0 : 0x50 + height)
  const bytes: number[] = []
  for (let rest = height; rest > 0; rest = Math.floor(rest / 256)) bytes.push(rest % 256)
  // The highest bit is the sign, so a zero byte is added when it is set.
  if ((bytes.at(-1) ?? 0) >= 0x80) bytes.push(0)
  return push(Uint8Array.from(bytes))
}

/** The output that an input spends. The hash is in internal byte order. */
export type Outpoint = Pick<TransactionInput, 'previousTransaction' | 'previousOutput'>

/** The empty reference in the input of a coinbase. */
export const NOWHERE: Outpoint = { previousTransaction: new Uint8Array(32), previousOutput: 0xffff_ffff }

export const isCoinbase = ({ inputs: [first, ...more] }: Transaction): boolean =>
  first !== undefined &&
  more.length === 0 &&
  first.previousOutput === NOWHERE.previousOutput &&
  first.previousTransaction.every((byte) => byte === 0)

/** The hash over the transaction with its witnesses, in internal byte order. */
export const witnessHash = (transaction: Transaction): Uint8Array =>
  doubleSha256(writeTransaction(transaction))

const withoutWitnesses = (transaction: Transaction): Transaction => ({
  ...transaction,
  inputs: transaction.inputs.map((input) => ({ ...input, witness: [] })),
})

/** Weight units. Bytes without witnesses count four times, witness bytes once. */
export const weightOf = (transaction: Transaction): number =>
  3 * strippedSize(transaction) + writeTransaction(transaction).length

export const strippedSize = (transaction: Transaction): number =>
  writeTransaction(withoutWitnesses(transaction)).length

/** The size from which fees are computed. */
export const virtualSize = (weight: number): number => Math.ceil(weight / 4)

/**
 * Also reads a transaction without inputs. Its first bytes look like the marker of a transaction with witnesses, so
 * it is first read as such, as in Bitcoin Core.
 * @throws RangeError when neither form fits
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
