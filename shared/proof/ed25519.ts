// Ed25519 verification (RFC 8032 section 5.1.7), as strict as any verifier our clients may use.
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToNumberLE } from '@noble/curves/utils.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { bytesEqual, concatBytes } from './bytes.ts'

/**
 * `publicKey` 32 bytes, `digest` what was signed, `signature` 64 bytes; other sizes are false. Never throws.
 *
 * Verifiers differ only on keys and signatures made to make them differ. We accept nothing that Node (OpenSSL) or Go refuse:
 * `zip215: false` refuses encodings beyond the field and keys of small order (any message would verify under one), and the
 * second check is the equation without cofactor, which those two use and noble does not. So a bundle that passes here
 * passes everywhere. A key of ours is never one of the odd ones.
 */
export function verifySignature(publicKey: Uint8Array, digest: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  try {
    return (
      ed25519.verify(signature, digest, publicKey, { zip215: false }) &&
      holdsWithoutCofactor(publicKey, digest, signature)
    )
  } catch {
    return false
  }
}

/** Whether R is exactly the encoding of S·B − k·A, with k = SHA-512(R ‖ A ‖ digest). */
function holdsWithoutCofactor(publicKey: Uint8Array, digest: Uint8Array, signature: Uint8Array): boolean {
  const { Point } = ed25519
  const encodedR = signature.subarray(0, 32)
  const s = bytesToNumberLE(signature.subarray(32))
  const k = Point.Fn.create(bytesToNumberLE(sha512(concatBytes(encodedR, publicKey, digest))))
  const r = Point.BASE.multiplyUnsafe(s).subtract(Point.fromBytes(publicKey).multiplyUnsafe(k))
  return bytesEqual(r.toBytes(), encodedR)
}
