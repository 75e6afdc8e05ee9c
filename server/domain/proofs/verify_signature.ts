// Ed25519 by OpenSSL, which is several times faster than JavaScript, with the strictness of `shared/proof/ed25519.ts`.
import { verify } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { publicKeyFromRaw } from '../ledger/signing_key.ts'

/** `publicKey` 32 bytes, `signature` 64; other sizes are false. Never throws. */
export function verifySignature(publicKey: Uint8Array, digest: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  if (!isOrdinaryKey(publicKey)) return false
  try {
    return verify(null, digest, publicKeyFromRaw(publicKey), signature)
  } catch {
    return false
  }
}

/** OpenSSL takes keys of small order, under which any message verifies, and encodings beyond the field. We do not. */
function isOrdinaryKey(publicKey: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(publicKey, false).isSmallOrder()
  } catch {
    return false
  }
}
