// Bitcoin's hash, and the two orders its bytes are written in.
import { fromHex, toHex } from '../bytes.ts'
import { sha256 } from '../domain_hash.ts'

/** 32 bytes in internal order, as they stand inside Bitcoin structures. */
export function doubleSha256(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes))
}

/** The hex form that people and interfaces use: the internal byte order reversed. */
export function displayHash(internal: Uint8Array): string {
  return toHex(internal.toReversed())
}

/**
 * The bytes in internal order, from the displayed hex.
 * @throws RangeError for anything but lowercase hex of whole bytes
 */
export function internalHash(display: string): Uint8Array {
  return fromHex(display).reverse()
}
