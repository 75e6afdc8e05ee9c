// Cosignatures of checkpoints by witnesses (C2SP tlog-cosignature), by Ed25519 or by ML-DSA-44.
import { ml_dsa44 } from '@noble/post-quantum/ml-dsa.js'
import { concatBytes, u8, u64, utf8 } from '../proof/bytes.ts'
import { verifySignature } from '../proof/ed25519.ts'
import { readCheckpoint } from './checkpoint.ts'
import { SIGNATURE_TYPES, type VerifierKey } from './verifier_key.ts'

/**
 * What a cosignature says when it is the key's over the checkpoint with this text: seconds since 1970, 0 from a cosigner that
 * says nothing about the time. Undefined when it is not. Never throws. Times from 2^53 on are refused.
 */
export function verifyCosignature(key: VerifierKey, text: string, cosignature: Uint8Array) {
  if (cosignature.length !== 8 + SIGNATURE_BYTES[key.type] || key.type === SIGNATURE_TYPES.ed25519)
    return undefined
  const time = new DataView(cosignature.buffer, cosignature.byteOffset).getBigUint64(0)
  if (time > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  const timestamp = Number(time)
  try {
    const message = cosignedMessage(key, text, timestamp)
    return verifies(key, message, cosignature.subarray(8)) ? { timestamp } : undefined
  } catch {
    // The text is not that of a checkpoint.
    return undefined
  }
}

/**
 * The bytes that a witness signs. An Ed25519 cosignature is over the whole text, one by ML-DSA-44 over what it says.
 * @throws RangeError when the text is not that of a checkpoint, and for keys that do not cosign
 */
export function cosignedMessage(key: VerifierKey, text: string, timestamp: number): Uint8Array {
  const { origin, size, root } = readCheckpoint(text)
  switch (key.type) {
    case SIGNATURE_TYPES.ed25519Cosignature:
      return utf8(`cosignature/v1\ntime ${timestamp}\n${text}`)
    case SIGNATURE_TYPES.mlDsa44Cosignature:
      return concatBytes(
        utf8('subtree/v1\n\0'),
        shortPrefixed(utf8(key.name)),
        u64(timestamp),
        shortPrefixed(utf8(origin)),
        u64(0),
        u64(size),
        root,
      )
    case SIGNATURE_TYPES.ed25519:
      throw new RangeError('the key does not cosign')
    default:
      throw new RangeError(`a key of type ${key.type satisfies never}`)
  }
}

/** Bytes of a signature without its time. */
const SIGNATURE_BYTES = { 1: 64, 4: 64, 6: 2_420 } as const

function verifies(key: VerifierKey, message: Uint8Array, signature: Uint8Array): boolean {
  return key.type === SIGNATURE_TYPES.mlDsa44Cosignature
    ? ml_dsa44.verify(signature, message, key.publicKey)
    : verifySignature(key.publicKey, message, signature)
}

/** The length in one byte, then the bytes. */
const shortPrefixed = (bytes: Uint8Array): Uint8Array => concatBytes(u8(bytes.length), bytes)
