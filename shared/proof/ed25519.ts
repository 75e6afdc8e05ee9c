// Ed25519 verification (RFC 8032 section 5.1.7), at least as strict as every verifier that clients may use.
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE } from '@noble/curves/utils.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { bytesEqual, concatBytes } from './bytes.ts'

/**
 * `publicKey` is 32 bytes, `digest` is the signed digest, `signature` is 64 bytes. Returns false for other
 * sizes. Never throws.
 * Verifiers disagree only on keys and signatures that were made for that purpose. This function accepts
 * nothing that Node (OpenSSL), Go or noble refuse, so a bundle that passes here passes everywhere. It refuses
 * encodings beyond the field, S beyond the group order, and keys of small order (one signature would fit any
 * message). It checks the equation without cofactor, which noble's own `verify` does not. The keys of this
 * service are never of these kinds.
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
    // Comparing the encodings also refuses an R with any other encoding.
    return bytesEqual(r.toBytes(), encodedR)
  } catch {
    return false
  }
}
