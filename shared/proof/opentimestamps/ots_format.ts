// The numbers of the OpenTimestamps format, with the limits that its Python library (opentimestamps 0.4) puts on what it
// reads.
import { concatBytes, utf8 } from '../bytes.ts'

/** What every .ots file begins with: magic bytes and the version. */
export const OTS_HEAD = concatBytes(
  utf8('\0OpenTimestamps\0\0Proof\0'),
  Uint8Array.of(0xbf, 0x89, 0xe2, 0xe8, 0x84, 0xe8, 0x92, 0x94),
  Uint8Array.of(1),
)

/** The hash functions: of a file's digest, and as operations. Lengths in bytes. */
export const OTS_HASHES = {
  sha256: { tag: 0x08, bytes: 32 },
  sha1: { tag: 0x02, bytes: 20 },
  ripemd160: { tag: 0x03, bytes: 20 },
  keccak256: { tag: 0x67, bytes: 32 },
} as const

export type OtsHash = keyof typeof OTS_HASHES

export const OTS_TAGS = {
  append: 0xf0,
  prepend: 0xf1,
  reverse: 0xf2,
  hexlify: 0xf3,
  attestation: 0x00,
  /** Stands before each item of a timestamp but the last. */
  more: 0xff,
} as const

/** Bytes of a message, a result or an argument. Hexlify doubles its message, so that one has at most half. */
export const MOST_MESSAGE_BYTES = 4_096

/** The reader follows 256 nested timestamps. The first is the digest itself, and every operation begins another. */
export const MOST_OPERATIONS = 255

/** The first eight bytes of an attestation say what it is. */
export const BITCOIN_ATTESTATION = Uint8Array.of(0x05, 0x88, 0x96, 0x0d, 0x73, 0xd7, 0x19, 0x01)
export const PENDING_ATTESTATION = Uint8Array.of(0x83, 0xdf, 0xe3, 0x0d, 0x2e, 0xf9, 0x0c, 0x8e)

/** Bytes of what follows them. */
export const MOST_ATTESTATION_BYTES = 8_192

/** The address of a calendar, at which readers ask for the rest. They refuse longer ones and other characters. */
export const MOST_CALENDAR_ADDRESS_BYTES = 1_000
export const CALENDAR_ADDRESS = /^[A-Za-z0-9\-._/:]*$/

export function variableBytes(bytes: Uint8Array): Uint8Array {
  return concatBytes(variableInteger(bytes.length), bytes)
}

/**
 * Little-endian in groups of seven bits; the high bit says that more follow. Uses arithmetic, because bit shifts would
 * cut the value to 32 bits.
 */
export function variableInteger(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not an unsigned integer`)
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80)
  return Uint8Array.from([...bytes, rest])
}
