// The 80 bytes at the head of a Bitcoin block.
import { concatBytes } from '../bytes.ts'
import { BitcoinCursor, u32LittleEndian } from './bitcoin_cursor.ts'
import { displayHash, doubleSha256 } from './double_sha256.ts'

export const HEADER_BYTES = 80

export interface BlockHeader {
  readonly version: number
  /** 32 bytes, internal order. */
  readonly previousBlock: Uint8Array
  /** 32 bytes, internal order. */
  readonly merkleRoot: Uint8Array
  /** Unix seconds. */
  readonly time: number
  /** The target in its compact form. */
  readonly bits: number
  readonly nonce: number
}

/** @throws RangeError unless there are exactly 80 bytes */
export function readHeader(bytes: Uint8Array): BlockHeader {
  if (bytes.length !== HEADER_BYTES) throw new RangeError(`a block header has ${HEADER_BYTES} bytes`)
  const cursor = new BitcoinCursor(bytes)
  return {
    version: cursor.u32(),
    previousBlock: cursor.take(32),
    merkleRoot: cursor.take(32),
    time: cursor.u32(),
    bits: cursor.u32(),
    nonce: cursor.u32(),
  }
}

export function writeHeader(header: BlockHeader): Uint8Array {
  return concatBytes(
    u32LittleEndian(header.version),
    header.previousBlock,
    header.merkleRoot,
    u32LittleEndian(header.time),
    u32LittleEndian(header.bits),
    u32LittleEndian(header.nonce),
  )
}

/** The block hash: 64 hex, display order. */
export function headerHash(header: Uint8Array): string {
  return displayHash(doubleSha256(header))
}
