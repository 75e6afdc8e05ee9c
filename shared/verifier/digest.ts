// The twelve plain hash functions of claims, computed piece by piece. Runs in any JavaScript engine.
import { blake2b, blake2s } from '@noble/hashes/blake2.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { sha3_224, sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js'
import { toHex } from '../proof/bytes.ts'
import type { HashType } from '../proof/claims.ts'

export interface Digest {
  readonly update: (bytes: Uint8Array) => void
  /** Lowercase hex. Ends the digest: no more input may follow. */
  readonly hex: () => string
}

/** blake2s and blake2b have their full lengths, 32 and 64 bytes. */
export function startDigest(type: HashType): Digest {
  const running = FUNCTIONS[type].create()
  return {
    update: (bytes) => void running.update(bytes),
    hex: () => toHex(running.digest()),
  }
}

interface Running {
  update: (bytes: Uint8Array) => unknown
  digest: () => Uint8Array
}

const FUNCTIONS: Readonly<Record<HashType, { readonly create: () => Running }>> = {
  md5,
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
  sha3_224,
  sha3_256,
  sha3_384,
  sha3_512,
  blake2s,
  blake2b,
}
