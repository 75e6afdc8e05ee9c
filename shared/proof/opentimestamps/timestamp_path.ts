// A chain of operations from a file's digest to a message that a Bitcoin block attests, in the format of
// OpenTimestamps; and why an item cannot be written as such a file.
import { concatBytes, joinBytes, toHex, utf8 } from '../bytes.ts'
import { sha256 } from '../domain_hash.ts'
import {
  BITCOIN_ATTESTATION,
  MOST_MESSAGE_BYTES,
  MOST_OPERATIONS,
  OTS_HASHES,
  OTS_TAGS,
  variableBytes,
  variableInteger,
} from './ots_format.ts'

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
    return suffix.length === 0 ? this : this.note(OTS_TAGS.append, concatBytes(this.current, suffix), suffix)
  }

  /** Prepending nothing is no operation. */
  prepend(prefix: Uint8Array): this {
    return prefix.length === 0 ? this : this.note(OTS_TAGS.prepend, concatBytes(prefix, this.current), prefix)
  }

  hexlify(): this {
    return this.note(OTS_TAGS.hexlify, utf8(toHex(this.current)))
  }

  sha256(): this {
    return this.note(OTS_HASHES.sha256.tag, sha256(this.current))
  }

  /** The operations so far, and the attestation that the Bitcoin block at `height` has the message as Merkle root. */
  attestedAt(height: number): Uint8Array {
    return joinBytes([
      ...this.noted,
      Uint8Array.of(OTS_TAGS.attestation),
      BITCOIN_ATTESTATION,
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
