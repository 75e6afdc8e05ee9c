// Domain-separated SHA-256, `D(p, x)`: the first byte says what kind of thing is hashed.
import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js'

/**
 * A byte never gets a second meaning. 0x41 to 0x45 are used elsewhere. Names are those of the `hash` utility
 * where it has one.
 */
export const DOMAIN_BYTES = {
  leaf: 0x00,
  node: 0x01,
  items_claims: 0x11,
  items_metadata: 0x12,
  item: 0x13,
  entropy: 0x21,
  entropy_metadata: 0x22,
  observation: 0x23,
  block_genesis: 0x31,
  block: 0x32,
  block_metadata: 0x33,
  commitment_data: 0x34,
  commitment: 0x35,
  public_key: 0x51,
  next_public_key: 0x53,
  proof: 0x61,
} as const

export type Domain = keyof typeof DOMAIN_BYTES

/** 32 bytes: SHA-256 over the domain's byte followed by the parts. */
export function domainHash(domain: Domain, ...parts: Uint8Array[]): Uint8Array {
  let length = 1
  for (const part of parts) length += part.length
  const message = new Uint8Array(length)
  message[0] = DOMAIN_BYTES[domain]
  let at = 1
  for (const part of parts) {
    message.set(part, at)
    at += part.length
  }
  return sha256(message)
}

/**
 * Node's own SHA-256. As text of one byte a character it takes a third of the time, because a short typed array of our
 * own lies in the heap and Node's buffers do not. Browsers have no function that answers at once.
 */
const nodeHash = globalThis.process?.getBuiltinModule?.('node:crypto').hash

/** 32 bytes, without a domain byte. Used for the empty tree and for Bitcoin. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const digest = new Uint8Array(32)
  sha256Into(bytes, digest, 0)
  return digest
}

/** As `sha256`, into `target` from `start` on: large trees have many hashes in one piece of memory. */
export function sha256Into(bytes: Uint8Array, target: Uint8Array, start: number): void {
  if (nodeHash === undefined) {
    target.set(nobleSha256(bytes), start)
    return
  }
  const text = nodeHash('sha256', bytes, 'binary')
  for (let at = 0; at < 32; at++) target[start + at] = text.charCodeAt(at)
}
