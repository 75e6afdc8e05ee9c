// Bitcoin transactions: standard serialisation with and without witness data, and transaction ids.
import { concatBytes, joinBytes } from '../bytes.ts'
import {
  BitcoinCursor,
  compactSize,
  displayHash,
  doubleSha256,
  sizedBytes,
  u32LittleEndian,
  u64LittleEndian,
} from './bitcoin_bytes.ts'

export type TransactionInput = Readonly<ReturnType<typeof readInput>>

/** The value is in satoshis. */
export type TransactionOutput = Readonly<ReturnType<typeof readOutput>>

export interface Transaction {
  readonly version: number
  readonly inputs: readonly TransactionInput[]
  readonly outputs: readonly TransactionOutput[]
  readonly lockTime: number
}

/**
 * Reads exactly one transaction. Time is linear in the number of bytes, whatever counts the bytes declare.
 * @throws RangeError when the bytes are malformed or more bytes follow
 */
export function readTransaction(bytes: Uint8Array): Transaction {
  const cursor = new BitcoinCursor(bytes)
  const version = cursor.u32()
  const hasWitnesses = bytes[cursor.at] === 0 && bytes[cursor.at + 1] === 1
  if (hasWitnesses) cursor.take(2)
  const inputs = readEach(cursor, readInput)
  const outputs = readEach(cursor, readOutput)
  const witnessOf = () => readEach(cursor, (at) => at.sized())
  const signed = hasWitnesses ? inputs.map((input) => ({ ...input, witness: witnessOf() })) : inputs
  const lockTime = cursor.u32()
  if (!cursor.atEnd) throw new RangeError('bytes behind the transaction')
  return { version, inputs: signed, outputs, lockTime }
}

/** The network serialisation. It contains witness data only when an input has some. */
export function writeTransaction(transaction: Transaction): Uint8Array {
  if (transaction.inputs.every((input) => input.witness.length === 0)) return transactionBytes(transaction)
  const witnesses = transaction.inputs.flatMap(({ witness }) => [
    compactSize(witness.length),
    ...witness.map(sizedBytes),
  ])
  return transactionBytes(transaction, [WITNESS_MARKER], witnesses)
}

/** Without marker and witnesses it is the serialisation whose hash is the txid. */
export function transactionBytes(
  { version, inputs, outputs, lockTime }: Transaction,
  marker: readonly Uint8Array[] = [],
  witnesses: readonly Uint8Array[] = [],
): Uint8Array {
  return joinBytes([
    u32LittleEndian(version),
    ...marker,
    compactSize(inputs.length),
    ...inputs.flatMap((input) => [
      input.previousTransaction,
      u32LittleEndian(input.previousOutput),
      sizedBytes(input.script),
      u32LittleEndian(input.sequence),
    ]),
    compactSize(outputs.length),
    ...outputs.flatMap(({ value, script }) => [u64LittleEndian(value), sizedBytes(script)]),
    ...witnesses,
    u32LittleEndian(lockTime),
  ])
}

/** 32 bytes in internal order, as trees and inputs hold it. Witness data is never part of the hash. */
export function transactionHash(transaction: Transaction): Uint8Array {
  return doubleSha256(transactionBytes(transaction))
}

/** The txid: 64 hex, display order. */
export function transactionId(transaction: Transaction): string {
  return displayHash(transactionHash(transaction))
}

const WITNESS_MARKER = Uint8Array.of(0, 1)

/**
 * Reads as many values as the count in front of them declares. Reserves no memory for the count, because a
 * false count may be huge; the read fails where the bytes end.
 */
function readEach<T>(cursor: BitcoinCursor, readOne: (cursor: BitcoinCursor) => T): T[] {
  const values: T[] = []
  for (let left = cursor.compactSize(); left > 0; left--) values.push(readOne(cursor))
  return values
}

const readInput = (cursor: BitcoinCursor) => ({
  /** Internal order. */
  previousTransaction: cursor.take(32),
  previousOutput: cursor.u32(),
  script: cursor.sized(),
  sequence: cursor.u32(),
  /** Empty when there is no witness data. */
  witness: NO_WITNESS,
})

const NO_WITNESS: readonly Uint8Array[] = []

const readOutput = (cursor: BitcoinCursor) => ({ value: cursor.u64(), script: cursor.sized() })

/**
 * The data of the first output whose script is OP_RETURN with exactly one push. Undefined when there is no
 * such output.
 */
export const opReturnOf = ({ outputs }: Transaction): Uint8Array | undefined =>
  outputs.map(({ script }) => opReturnPush(script)).find((pushed) => pushed !== undefined)

/** A script of OP_RETURN and one push of at most 75 bytes, in the one-byte form. */
export function opReturnScript(pushed: Uint8Array): Uint8Array {
  if (pushed.length > LAST_DIRECT_PUSH) throw new RangeError(`${pushed.length} bytes need a longer push`)
  return concatBytes(Uint8Array.of(OP_RETURN, pushed.length), pushed)
}

/** The data that one script pushes after OP_RETURN. Undefined for any other script. */
export function opReturnPush(script: Uint8Array): Uint8Array | undefined {
  const [code, push] = script
  if (code !== OP_RETURN || push === undefined || push > OP_PUSHDATA4) return undefined
  const lengthBytes = push <= LAST_DIRECT_PUSH ? 0 : LENGTH_BYTES[push - OP_PUSHDATA1]
  if (lengthBytes === undefined || script.length < 2 + lengthBytes) return undefined
  let length = lengthBytes === 0 ? push : 0
  for (let i = lengthBytes - 1; i >= 0; i--) length = length * 256 + (script[2 + i] ?? 0)
  if (length > MOST_PUSHED || script.length !== 2 + lengthBytes + length) return undefined
  return script.subarray(2 + lengthBytes)
}

const OP_RETURN = 0x6a
const LAST_DIRECT_PUSH = 0x4b
const OP_PUSHDATA1 = 0x4c
const OP_PUSHDATA4 = 0x4e
/** Length bytes of OP_PUSHDATA1, 2 and 4, little-endian. */
const LENGTH_BYTES = [1, 2, 4]
const MOST_PUSHED = 80
