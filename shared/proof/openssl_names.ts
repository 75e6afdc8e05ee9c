// What OpenSSL calls the twelve plain hash functions of claims.
import type { HashType } from './claims.ts'

/** blake2s and blake2b in their full lengths, which are the ones we publish. */
export const OPENSSL_NAMES: Readonly<Record<HashType, string>> = {
  md5: 'md5',
  sha1: 'sha1',
  sha224: 'sha224',
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  sha3_224: 'sha3-224',
  sha3_256: 'sha3-256',
  sha3_384: 'sha3-384',
  sha3_512: 'sha3-512',
  blake2s: 'blake2s256',
  blake2b: 'blake2b512',
}
