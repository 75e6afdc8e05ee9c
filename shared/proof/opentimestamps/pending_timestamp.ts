// The answer of a calendar to a digest: the way to the root of the tree that the digest stands in, and the promise that
// the calendar at an address will say how that root came to Bitcoin.
import { concatBytes, joinBytes, utf8 } from '../bytes.ts'
import { DOMAIN_BYTES } from '../domain_hash.ts'
import type { PathStep } from '../merkle.ts'
import {
  CALENDAR_ADDRESS,
  MOST_CALENDAR_ADDRESS_BYTES,
  OTS_HASHES,
  OTS_TAGS,
  PENDING_ATTESTATION,
  variableBytes,
} from './ots_format.ts'

export const OTS_TIMESTAMP_TYPE = 'application/vnd.opentimestamps.v1'

/** What readers of the format take of one answer. */
export const MOST_TIMESTAMP_BYTES = 10_000

const HASH_BYTES = 32

const SHA256 = Uint8Array.of(OTS_HASHES.sha256.tag)
const prepend = (bytes: Uint8Array): Uint8Array =>
  concatBytes(Uint8Array.of(OTS_TAGS.prepend), variableBytes(bytes))

/** From the digest to its leaf: an entry of type `ots`. */
const TO_LEAF = concatBytes(prepend(concatBytes(Uint8Array.of(DOMAIN_BYTES.leaf), utf8('ots\0'))), SHA256)

/** The sibling comes behind it. */
const LEFT_SIBLING = Uint8Array.of(OTS_TAGS.prepend, 1 + HASH_BYTES, DOMAIN_BYTES.node)
const RIGHT_SIBLING = Uint8Array.of(OTS_TAGS.append, HASH_BYTES)
const TO_NODE_BEFORE_RIGHT = concatBytes(prepend(Uint8Array.of(DOMAIN_BYTES.node)), SHA256)

/**
 * Nothing is hashed, because the steps are those of a tree that the caller has made.
 * @param steps the siblings, the nearest first
 * @param promise of `pendingAttestation`
 */
export function pendingTimestamp(steps: readonly PathStep[], promise: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [TO_LEAF]
  for (const { side, hash } of steps)
    if (side === 'left') parts.push(LEFT_SIBLING, hash, SHA256)
    else parts.push(RIGHT_SIBLING, hash, TO_NODE_BEFORE_RIGHT)
  parts.push(promise)
  return joinBytes(parts)
}

/** Whether readers take such an address. They refuse others, and with them the whole answer. */
export const isCalendarAddress = (address: string): boolean =>
  CALENDAR_ADDRESS.test(address) && address.length <= MOST_CALENDAR_ADDRESS_BYTES

/**
 * @param address of the calendar, with its last slash
 * @throws RangeError when readers would refuse it
 */
export function pendingAttestation(address: string): Uint8Array {
  if (!isCalendarAddress(address)) throw new RangeError(`${address} is no address of a calendar`)
  return concatBytes(
    Uint8Array.of(OTS_TAGS.attestation),
    PENDING_ATTESTATION,
    variableBytes(variableBytes(utf8(address))),
  )
}
