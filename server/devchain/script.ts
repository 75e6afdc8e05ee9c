// The output scripts that this chain writes and reads.
import { createHash } from 'node:crypto'
import { ripemd160 } from '@noble/hashes/legacy.js'
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
