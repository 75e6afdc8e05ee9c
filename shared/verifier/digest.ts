// The twelve plain hash functions of claims, computed piece by piece. Runs in any JavaScript engine.
import { blake2b, blake2s } from '@noble/hashes/blake2.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { sha3_224, sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js'
import type { HashType } from '../proof/claims.ts'

export interface Digest {
  readonly update: (bytes: Uint8Array) => unknown
  /** Ends it: no more input may follow. */
  readonly digest: () => Uint8Array
}

/** blake2s and blake2b have their full lengths, 32 and 64 bytes. */
export const startDigest = (type: HashType): Digest => FUNCTIONS[type].create()

const FUNCTIONS: Readonly<Record<HashType, { readonly create: () => Digest }>> = {
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
