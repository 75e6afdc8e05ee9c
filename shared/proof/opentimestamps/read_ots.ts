// Reads .ots files of any origin into their operations and attestations. Nothing is hashed while a file is read, so one
// that is refused costs little. Nothing is verified either: who reads compares messages with block headers.
import { ripemd160, sha1 } from '@noble/hashes/legacy.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { ByteCursor, bytesEqual, concatBytes, toHex, utf8 } from '../bytes.ts'
import { sha256 } from '../domain_hash.ts'
import {
  BITCOIN_ATTESTATION,
  CALENDAR_ADDRESS,
  MOST_ATTESTATION_BYTES,
  MOST_CALENDAR_ADDRESS_BYTES,
  MOST_MESSAGE_BYTES,
  MOST_OPERATIONS,
  OTS_HASHES,
  OTS_HEAD,
  OTS_TAGS,
  type OtsHash,
  PENDING_ATTESTATION,
} from './ots_format.ts'

/** The largest file that is read. One with the proofs of several calendars takes a few thousand bytes. */
const LARGEST_OTS_BYTES = 65_536

/** In all branches together. Every branch ends in one, so that they bound the operations too. */
const MOST_ATTESTATIONS = 64

export interface ReadOts {
  readonly hashType: OtsHash
  /** Of the file that the proof is about: 32 bytes, or 20 of sha1 and ripemd160. */
  readonly digest: Uint8Array
  readonly timestamp: OtsTimestamp
}

/** What is known about one message. */
interface OtsTimestamp {
  readonly attestations: readonly OtsAttestation[]
  readonly branches: readonly OtsBranch[]
}

interface OtsBranch {
  readonly operation: OtsOperation
  /** About the result of the operation. */
  readonly next: OtsTimestamp
}

type OtsOperation =
  | { readonly name: OtsHash | 'reverse' | 'hexlify' }
  | { readonly name: 'append' | 'prepend'; readonly argument: Uint8Array }

type OtsAttestation =
  /** The message is the Merkle root of the Bitcoin block at this height, in internal order. */
  | { readonly kind: 'bitcoin'; readonly height: number }
  /** A promise: the calendar at this address has the rest. */
  | { readonly kind: 'pending'; readonly address: string }
  | { readonly kind: 'unknown'; readonly tag: Uint8Array; readonly payload: Uint8Array }

/** @throws OtsRejected */
export function readOts(bytes: Uint8Array): ReadOts {
  if (bytes.length > LARGEST_OTS_BYTES) throw new OtsRejected('too_large')
  const reader = new OtsReader(bytes)
  if (!bytesEqual(bytes.subarray(0, OTS_HEAD.length), OTS_HEAD)) throw new OtsRejected('not_ots')
  reader.take(OTS_HEAD.length)
  const hashType = HASH_BY_TAG.get(reader.byte())
  if (hashType === undefined) throw new OtsRejected('unknown_hash')
  const digest = reader.take(OTS_HASHES[hashType].bytes)
  const timestamp = reader.timestamp(digest.length, 0)
  if (!reader.atEnd) throw new OtsRejected('trailing_bytes')
  return { hashType, digest, timestamp }
}

export interface OtsAttested {
  readonly attestation: OtsAttestation
  /** What the attestation is about. */
  readonly message: Uint8Array
}

/** Applies all operations from the digest on. The attestations are in the order of the file. */
export function attestedMessages({
  digest,
  timestamp,
}: Pick<ReadOts, 'digest' | 'timestamp'>): OtsAttested[] {
  const own = timestamp.attestations.map((attestation) => ({ attestation, message: digest }))
  const below = timestamp.branches.flatMap(({ operation, next }) =>
    attestedMessages({ digest: applied(operation, digest), timestamp: next }),
  )
  return [...own, ...below]
}

function applied(operation: OtsOperation, message: Uint8Array): Uint8Array {
  switch (operation.name) {
    case 'append':
      return concatBytes(message, operation.argument)
    case 'prepend':
      return concatBytes(operation.argument, message)
    case 'reverse':
      return message.toReversed()
    case 'hexlify':
      return utf8(toHex(message))
    default:
      return HASH_FUNCTIONS[operation.name](message)
  }
}

const HASH_FUNCTIONS: Readonly<Record<OtsHash, (message: Uint8Array) => Uint8Array>> = {
  sha256,
  sha1,
  ripemd160,
  keccak256: keccak_256,
}

const HASH_NAMES: readonly OtsHash[] = ['sha256', 'sha1', 'ripemd160', 'keccak256']
const HASH_BY_TAG = new Map<number, OtsHash>(HASH_NAMES.map((name) => [OTS_HASHES[name].tag, name]))

/** A read position that only moves forward. Every method throws OtsRejected. */
class OtsReader extends ByteCursor {
  #attestations = 0

  protected override advance(length: number): number {
    if (length > this.bytes.length - this.at) throw new OtsRejected('cut_short')
    return super.advance(length)
  }

  /** @param length of the message, in bytes; the lengths of results follow from it */
  timestamp(length: number, depth: number): OtsTimestamp {
    if (depth > MOST_OPERATIONS) throw new OtsRejected('too_deep')
    const attestations: OtsAttestation[] = []
    const branches: OtsBranch[] = []
    for (let isLast = false; !isLast; ) {
      const first = this.byte()
      isLast = first !== OTS_TAGS.more
      const tag = isLast ? first : this.byte()
      if (tag === OTS_TAGS.attestation) attestations.push(this.#attestation())
      else branches.push(this.#branch(tag, length, depth))
    }
    return { attestations, branches }
  }

  #branch(tag: number, length: number, depth: number): OtsBranch {
    const operation = this.#operation(tag)
    const result = resultLength(operation, length)
    if (result > MOST_MESSAGE_BYTES) throw new OtsRejected('message_too_long')
    return { operation, next: this.timestamp(result, depth + 1) }
  }

  #operation(tag: number): OtsOperation {
    switch (tag) {
      case OTS_TAGS.append:
        return { name: 'append', argument: this.sized(1, MOST_MESSAGE_BYTES) }
      case OTS_TAGS.prepend:
        return { name: 'prepend', argument: this.sized(1, MOST_MESSAGE_BYTES) }
      case OTS_TAGS.reverse:
        return { name: 'reverse' }
      case OTS_TAGS.hexlify:
        return { name: 'hexlify' }
    }
    const name = HASH_BY_TAG.get(tag)
    if (name === undefined) throw new OtsRejected('unknown_operation')
    return { name }
  }

  #attestation(): OtsAttestation {
    this.#attestations += 1
    if (this.#attestations > MOST_ATTESTATIONS) throw new OtsRejected('too_many_attestations')
    const tag = this.take(BITCOIN_ATTESTATION.length)
    return attestationOf(tag, this.sized(0, MOST_ATTESTATION_BYTES))
  }

  sized(least: number, most: number): Uint8Array {
    const length = this.integer()
    if (length < least || length > most) throw new OtsRejected('invalid_length')
    return this.take(length)
  }

  /** Little-endian in groups of seven bits; the high bit says that more follow. */
  integer(): number {
    let value = 0
    for (let factor = 1; factor <= LARGEST_FACTOR; factor *= 0x80) {
      const byte = this.byte()
      value += (byte % 0x80) * factor
      if (byte < 0x80) return value
    }
    throw new OtsRejected('invalid_length')
  }
}

/** Of seven bytes, 49 bits: every such number is exact, and no height or length needs as much. */
const LARGEST_FACTOR = 0x80 ** 6

/** @throws OtsRejected for a known one with other contents */
function attestationOf(tag: Uint8Array, payload: Uint8Array): OtsAttestation {
  const inside = new OtsReader(payload)
  const attestation = knownAttestation(tag, inside)
  if (attestation === undefined) return { kind: 'unknown', tag, payload }
  if (!inside.atEnd) throw new OtsRejected('invalid_attestation')
  return attestation
}

function knownAttestation(tag: Uint8Array, inside: OtsReader): OtsAttestation | undefined {
  if (bytesEqual(tag, BITCOIN_ATTESTATION)) return { kind: 'bitcoin', height: inside.integer() }
  if (!bytesEqual(tag, PENDING_ATTESTATION)) return undefined
  const address = String.fromCharCode(...inside.sized(0, MOST_CALENDAR_ADDRESS_BYTES))
  if (!CALENDAR_ADDRESS.test(address)) throw new OtsRejected('invalid_attestation')
  return { kind: 'pending', address }
}

function resultLength(operation: OtsOperation, length: number): number {
  switch (operation.name) {
    case 'append':
    case 'prepend':
      return length + operation.argument.length
    case 'reverse':
      return length
    case 'hexlify':
      return 2 * length
    default:
      return OTS_HASHES[operation.name].bytes
  }
}

/** Why bytes are not read as an .ots file, in words for people. */
const OTS_REJECTIONS = {
  too_large: `An .ots file has at most ${LARGEST_OTS_BYTES} bytes.`,
  not_ots: 'It does not begin as an .ots file of version 1 does.',
  unknown_hash: 'The digest in it is of an unknown hash function.',
  cut_short: 'The bytes end too early.',
  trailing_bytes: 'More bytes follow after its end.',
  unknown_operation: 'It has an operation that is not known.',
  too_deep: `More than ${MOST_OPERATIONS} operations follow one another.`,
  too_many_attestations: `It has more than ${MOST_ATTESTATIONS} attestations.`,
  message_too_long: `An operation makes a message of more than ${MOST_MESSAGE_BYTES} bytes.`,
  invalid_length: 'A number in it is out of range.',
  invalid_attestation: 'An attestation in it cannot be read.',
} as const satisfies Readonly<Record<string, string>>

type OtsRejection = keyof typeof OTS_REJECTIONS

export class OtsRejected extends Error {
  override readonly name = 'OtsRejected'
  readonly reason: OtsRejection

  constructor(reason: OtsRejection) {
    super(OTS_REJECTIONS[reason])
    this.reason = reason
  }
}
