// Writes DER (ITU-T X.690): a value is its bytes, and a larger one is made of smaller ones.
import { utf8 } from '../proof/bytes.ts'
import { context, DER_TAGS } from './read_der.ts'

/** A value with this tag, whose content is these bytes one after the other. */
export function der(tag: number, ...content: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of content) length += part.length
  const head = headOf(tag, length)
  const bytes = new Uint8Array(head.length + length)
  bytes.set(head)
  let at = head.length
  for (const part of content) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function headOf(tag: number, length: number): readonly number[] {
  if (length < 0x80) return [tag, length]
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return [tag, 0x80 | bytes.length, ...bytes]
}

export const sequence = (...parts: readonly Uint8Array[]): Uint8Array => der(DER_TAGS.sequence, ...parts)

/** In the order of the bytes (section 11.6). */
export const setOf = (...parts: readonly Uint8Array[]): Uint8Array => der(DER_TAGS.set, ...sorted(parts))

/** In the order in which the members of a SET OF stand. */
export const sorted = (parts: readonly Uint8Array[]): readonly Uint8Array[] => parts.toSorted(compareBytes)

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

export const octets = (bytes: Uint8Array): Uint8Array => der(DER_TAGS.octetString, bytes)

/** `[number] EXPLICIT` around a value, or `IMPLICIT` for the parts of one that is constructed. */
export const tagged = (number: number, ...parts: readonly Uint8Array[]): Uint8Array =>
  der(context(number), ...parts)

export const derText = (words: string): Uint8Array => der(DER_TAGS.utf8String, utf8(words))

/** @throws RangeError for a negative one */
export function derInteger(value: number | bigint): Uint8Array {
  let rest = BigInt(value)
  if (rest < 0n) throw new RangeError('negative numbers are not written')
  const bytes: number[] = []
  do {
    bytes.unshift(Number(rest & 0xffn))
    rest >>= 8n
  } while (rest > 0n)
  if ((bytes[0] ?? 0) >= 0x80) bytes.unshift(0)
  return der(DER_TAGS.integer, Uint8Array.from(bytes))
}

/** @param name such as `1.2.840.113549.1.7.2`; each number may be as large as a UUID. @throws RangeError for no such name */
export function oid(name: string): Uint8Array {
  const arcs = name.split('.').map((arc) => (/^(0|[1-9]\d{0,39})$/.test(arc) ? BigInt(arc) : -1n))
  const [first = -1n, second = -1n, ...others] = arcs
  if (arcs.some((arc) => arc < 0n) || first < 0n || second < 0n || first > 2n || (first < 2n && second > 39n))
    throw new RangeError(`${name} is no object identifier`)
  return der(DER_TAGS.oid, Uint8Array.from([first * 40n + second, ...others].flatMap(base128)))
}

function base128(arc: bigint): number[] {
  const bytes = [Number(arc & 0x7fn)]
  for (let rest = arc >> 7n; rest > 0n; rest >>= 7n) bytes.unshift(Number(rest & 0x7fn) | 0x80)
  return bytes
}

/** Of whole seconds, with `Z`. @param ms Unix milliseconds, which are cut to seconds */
export const generalizedTime = (ms: number): Uint8Array => der(DER_TAGS.generalizedTime, utf8(digitsOf(ms)))

/** The Time of certificates and of signingTime: UTCTime through 2049, and GeneralizedTime from then on (RFC 5280, 4.1.2.5). */
export const time = (ms: number): Uint8Array =>
  new Date(ms).getUTCFullYear() < 2050
    ? der(DER_TAGS.utcTime, utf8(digitsOf(ms).slice(2)))
    : generalizedTime(ms)

const digitsOf = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')}Z`

/** A BIT STRING of which one bit is set, as lists of named bits are written (section 11.2.2). @param bit from 0 */
export function namedBit(bit: number): Uint8Array {
  const bytes = new Uint8Array(2 + Math.floor(bit / 8))
  bytes[0] = 7 - (bit % 8)
  bytes[bytes.length - 1] = 0x80 >> (bit % 8)
  return der(DER_TAGS.bitString, bytes)
}
