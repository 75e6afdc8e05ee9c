// The pieces of Bitcoin's serialisation: little-endian integers, compact sizes, byte strings, and its hash in the two
// orders that its bytes are written in.
import { ByteCursor, concatBytes, fromHex, toHex } from '../bytes.ts'
import { sha256 } from '../domain_hash.ts'

/** A read position in bytes of Bitcoin. */
export class BitcoinCursor extends ByteCursor {
  u32(): number {
    return this.view.getUint32(this.advance(4), true)
  }

  u64(): bigint {
    return this.view.getBigUint64(this.advance(8), true)
  }

  /** A count or a length. Accepts only the shortest encoding, as every Bitcoin node does. */
  compactSize(): number {
    const first = this.byte()
    if (first < 0xfd) return first
    if (first === 0xfd) return shortest(this.view.getUint16(this.advance(2), true), 0xfd)
    if (first === 0xfe) return shortest(this.u32(), 0x1_0000)
    return shortest(Number(this.u64()), 0x1_0000_0000)
  }

  /** A byte string with its length in front. */
  sized(): Uint8Array {
    return this.take(this.compactSize())
  }
}

export function u32LittleEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

export function u64LittleEndian(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

/** For counts below 2^32. */
export function compactSize(value: number): Uint8Array {
  if (value < 0xfd) return Uint8Array.of(value)
  if (value < 0x1_0000) return Uint8Array.of(0xfd, value & 0xff, value >> 8)
  return concatBytes(Uint8Array.of(0xfe), u32LittleEndian(value))
}

export function sizedBytes(bytes: Uint8Array): Uint8Array {
  return concatBytes(compactSize(bytes.length), bytes)
}

function shortest(value: number, least: number): number {
  if (value < least) throw new RangeError('a count is not written in its shortest form')
  return value
}

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
