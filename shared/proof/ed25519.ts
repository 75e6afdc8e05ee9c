// Ed25519 verification (RFC 8032 section 5.1.7), as strict as any verifier our clients may use.
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE } from '@noble/curves/utils.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { bytesEqual, concatBytes } from './bytes.ts'

/**
 * `publicKey` 32 bytes, `digest` what was signed, `signature` 64 bytes; other sizes are false. Never throws.
 *
 * Verifiers differ only on keys and signatures made to make them differ. We accept nothing that Node (OpenSSL), Go or
 * noble refuse: no encoding beyond the field, no S beyond the group order, no key of small order (any message would
 * verify under one), and only the equation without cofactor, which noble's own `verify` does not check. So a bundle that
 * passes here passes everywhere. A key of ours is never one of the odd ones.
 */
export function verifySignature(publicKey: Uint8Array, digest: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  const { Point } = ed25519
  const encodedR = signature.subarray(0, 32)
  const s = bytesToNumberLE(signature.subarray(32))
  if (s >= Point.Fn.ORDER) return false
  try {
    const key = Point.fromBytes(publicKey)
    if (key.isSmallOrder()) return false
    const k = Point.Fn.create(bytesToNumberLE(sha512(concatBytes(encodedR, publicKey, digest))))
    const r = Point.BASE.multiplyUnsafe(s).subtract(key.multiplyUnsafe(k))
    // Comparing encodings also refuses an R that is spelled in any other way.
    return bytesEqual(r.toBytes(), encodedR)
  } catch {
    return false
  }
}
