// A chain of operations from a file's digest to a message that a Bitcoin block attests, in the format of
// OpenTimestamps, with the limits that its Python library (opentimestamps 0.4) puts on what it reads; and why an item
// cannot be written as such a file.
import { concatBytes, joinBytes, toHex, utf8 } from '../bytes.ts'
import { sha256 } from '../domain_hash.ts'

/** The hash functions that a file's digest may be of. */
export const DIGESTS = {
  sha256: { tag: 0x08, bytes: 32 },
  sha1: { tag: 0x02, bytes: 20 },
} as const

const TAGS = { sha256: DIGESTS.sha256.tag, append: 0xf0, prepend: 0xf1, hexlify: 0xf3, attestation: 0x00 }

/** Bytes of a message, a result or an argument. Hexlify doubles its message, so that one has at most half. */
const MOST_MESSAGE_BYTES = 4_096

/** The reader follows 256 nested timestamps. The first is the digest itself, and every operation begins another. */
const MOST_OPERATIONS = 255

const BITCOIN_HEADER = Uint8Array.of(0x05, 0x88, 0x96, 0x0d, 0x73, 0xd7, 0x19, 0x01)

/**
 * Every method applies one operation to the present message and notes it down.
 * All throw NotExpressible: `too_long` for a result beyond the limit, `too_deep` for an operation too many.
 */
export class TimestampPath {
  private readonly noted: Uint8Array[] = []
  private current: Uint8Array

  constructor(digest: Uint8Array) {
    this.current = digest
  }

  /** The result of the last operation. */
  get message(): Uint8Array {
    return this.current
  }

  get operations(): number {
    return this.noted.length
  }

  /** Appending nothing is no operation, because the format has none without an argument. */
  append(suffix: Uint8Array): this {
    return suffix.length === 0 ? this : this.note(TAGS.append, concatBytes(this.current, suffix), suffix)
  }

  /** Prepending nothing is no operation. */
  prepend(prefix: Uint8Array): this {
    return prefix.length === 0 ? this : this.note(TAGS.prepend, concatBytes(prefix, this.current), prefix)
  }

  hexlify(): this {
    return this.note(TAGS.hexlify, utf8(toHex(this.current)))
  }

  sha256(): this {
    return this.note(TAGS.sha256, sha256(this.current))
  }

  /** The operations so far, and the attestation that the Bitcoin block at `height` has the message as Merkle root. */
  attestedAt(height: number): Uint8Array {
    return joinBytes([
      ...this.noted,
      Uint8Array.of(TAGS.attestation),
      BITCOIN_HEADER,
      variableBytes(variableInteger(height)),
    ])
  }

  private note(tag: number, result: Uint8Array, argument?: Uint8Array): this {
    if (result.length > MOST_MESSAGE_BYTES) throw new NotExpressible('too_long')
    if (this.noted.length === MOST_OPERATIONS) throw new NotExpressible('too_deep')
    const operation = Uint8Array.of(tag)
    this.noted.push(argument === undefined ? operation : concatBytes(operation, variableBytes(argument)))
    this.current = result
    return this
  }
}

function variableBytes(bytes: Uint8Array): Uint8Array {
  return concatBytes(variableInteger(bytes.length), bytes)
}

/**
 * Little-endian in groups of seven bits; the high bit says that more follow. Uses arithmetic, because bit shifts would
 * cut the value to 32 bits.
 */
function variableInteger(value: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is not an unsigned integer`)
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80)
  return Uint8Array.from([...bytes, rest])
}

/** Why an item cannot be written as an .ots file, in words for people. */
export const NOT_EXPRESSIBLE = {
  no_file_digest: 'The claims name no digest of a file, and an .ots file begins with one.',
  hash_type:
    'An .ots file begins with a sha256 or sha1 digest, and the claims name one of another hash_type.',
  redacted: 'The claims were redacted, and an .ots file consists of them in part.',
  too_long:
    'The claims, or the Bitcoin transaction, are longer than the 4,096 bytes that an .ots file takes.',
  too_deep: 'The proof has more steps than readers of .ots files follow.',
  no_bitcoin_commitment: 'Its block is not committed to a Bitcoin chain.',
} as const satisfies Readonly<Record<string, string>>

export type NotExpressibleReason = keyof typeof NOT_EXPRESSIBLE

/** The proof may be sound all the same: its bundle says so. */
export class NotExpressible extends Error {
  override readonly name = 'NotExpressible'
  readonly reason: NotExpressibleReason

  constructor(reason: NotExpressibleReason) {
    super(NOT_EXPRESSIBLE[reason])
    this.reason = reason
  }
}
