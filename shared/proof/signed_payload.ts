// The payload that a bundle's signature covers: a fixed layout, hashed under 0x61 and then signed.
import { joinBytes, u8, u16, u64 } from './bytes.ts'
import { domainHash } from './domain_hash.ts'
import { ENTROPY_CODES } from './entropy_names.ts'

/** Frozen. Block and beacon (10 and 11) are *block-like*; only the code tells them apart. */
export const TYPE_CODES = {
  block: 10,
  beacon: 11,
  item: 20,
  ...ENTROPY_CODES,
} as const

export type ProofType = keyof typeof TYPE_CODES

export const isProofType = (value: unknown): value is ProofType =>
  typeof value === 'string' && Object.hasOwn(TYPE_CODES, value)

interface SignedPayloadParts {
  /** One of `TYPE_CODES`. */
  typeCode: number
  /** 4 bytes, derived from the bundle's public key, never taken from a carried `signing_key_id`. */
  keyId: Uint8Array
  /** Milliseconds since 1970. */
  generatedAtMs: number
  /** 32 bytes. In a block-like bundle, the block hash again. */
  subjectHash: Uint8Array
  /** 32 bytes. */
  blockHash: Uint8Array
  /** 32 bytes each, in the order of the bundle's commitments. */
  epochRoots: readonly Uint8Array[]
}

/**
 * 81 + 32 N bytes.
 * @throws RangeError when a part has the wrong size, because no part is length-prefixed and the rest would
 * shift
 */
export function signedPayload(parts: SignedPayloadParts): Uint8Array {
  return joinBytes([
    u8(PAYLOAD_VERSION),
    u16(parts.typeCode),
    sized(parts.keyId, 4),
    u64(parts.generatedAtMs),
    sized(parts.subjectHash, 32),
    sized(parts.blockHash, 32),
    u16(parts.epochRoots.length),
    ...parts.epochRoots.map((root) => sized(root, 32)),
  ])
}

/** `D(0x61, payload)`, 32 bytes: the digest that Ed25519 signs. */
export function signedPayloadDigest(parts: SignedPayloadParts): Uint8Array {
  return domainHash('proof', signedPayload(parts))
}

const PAYLOAD_VERSION = 1

function sized(bytes: Uint8Array, size: number): Uint8Array {
  if (bytes.length !== size)
    throw new RangeError(`a part of the signed payload has ${bytes.length} bytes, not ${size}`)
  return bytes
}
