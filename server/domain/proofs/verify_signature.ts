// Verifies Ed25519 with OpenSSL, which is several times faster than JavaScript, under the strict rules of
// `shared/proof/ed25519.ts`.
import { verify } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { publicKeyFromRaw } from '../ledger/signing_key.ts'

/** Takes a 32-byte key and a 64-byte signature. Returns false for other sizes. Never throws. */
export function verifySignature(publicKey: Uint8Array, digest: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  if (!isOrdinaryKey(publicKey)) return false
  try {
    return verify(null, digest, publicKeyFromRaw(publicKey), signature)
  } catch {
    return false
  }
}

/**
 * OpenSSL accepts encodings beyond the field, and keys of small order, under which any message verifies. This
 * function refuses both.
 */
function isOrdinaryKey(publicKey: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(publicKey, false).isSmallOrder()
  } catch {
    return false
  }
}
