// Reads and writes the data of OP_RETURN outputs of Bitcoin transactions.
import { concatBytes } from '../bytes.ts'
import type { Transaction } from './transaction.ts'

/**
 * The data of the first output whose script is OP_RETURN with exactly one push. Undefined when there is no
 * such output.
 */
export function opReturnOf(transaction: Transaction): Uint8Array | undefined {
  for (const output of transaction.outputs) {
    const pushed = opReturnPush(output.script)
    if (pushed !== undefined) return pushed
  }
  return undefined
}

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
