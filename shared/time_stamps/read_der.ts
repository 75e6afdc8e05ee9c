// Reads DER (ITU-T X.690 sections 8, 10 and 11): one encoding for each value, so what was read can be copied byte for byte.
// The usual libraries take BER, which has many.

export interface DerValue {
  /** The identifier octet, such as 0x30 for a SEQUENCE. Tags beyond 30 are not read. */
  readonly tag: number
  /** All of it, with tag and length. */
  readonly bytes: Uint8Array
  readonly content: Uint8Array
  /** What a constructed value is made of. Empty for a primitive one. */
  readonly parts: readonly DerValue[]
}

export const DER_TAGS = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

/** The tag of a context-specific value that holds others, such as `[0] EXPLICIT` and `[0] IMPLICIT SET`. */
export const context = (number: number): number => 0xa0 | number

export class DerRejected extends Error {
  override readonly name = 'DerRejected'
}

/** Values within values, in which nothing that is known goes deeper. */
const MOST_DEPTH = 32

/**
 * @param depth the most values within values
 * @throws DerRejected with what is wrong, also for bytes behind the value
 */
export function readDer(bytes: Uint8Array, depth = MOST_DEPTH): DerValue {
  const { value, end } = valueAt(bytes, 0, depth)
  if (end !== bytes.length) throw new DerRejected('there are bytes behind its end')
  return value
}

const CONSTRUCTED = 0x20

function valueAt(bytes: Uint8Array, start: number, depth: number): { value: DerValue; end: number } {
  if (depth === 0) throw new DerRejected('it is nested too deeply')
  const tag = byteAt(bytes, start)
  if ((tag & 0x1f) === 0x1f) throw new DerRejected('it has a tag of several bytes')
  const { length, from } = lengthAt(bytes, start + 1)
  const end = from + length
  if (end > bytes.length) throw cut()
  const content = bytes.subarray(from, end)
  const parts = (tag & CONSTRUCTED) === 0 ? [] : partsOf(content, depth - 1)
  checkForm(tag, content)
  return { value: { tag, bytes: bytes.subarray(start, end), content, parts }, end }
}

function partsOf(content: Uint8Array, depth: number): DerValue[] {
  const parts: DerValue[] = []
  for (let at = 0; at < content.length; ) {
    const { value, end } = valueAt(content, at, depth)
    parts.push(value)
    at = end
  }
  return parts
}

/** The fewest bytes that say the length (section 10.1). */
function lengthAt(bytes: Uint8Array, at: number): { length: number; from: number } {
  const first = byteAt(bytes, at)
  if (first < 0x80) return { length: first, from: at + 1 }
  const count = first & 0x7f
  if (count === 0) throw new DerRejected('it has a length that is not said')
  if (count > 4) throw cut()
  let length = 0
  for (let nth = 1; nth <= count; nth += 1) length = length * 256 + byteAt(bytes, at + nth)
  if (length < 0x80 || length < 256 ** (count - 1))
    throw new DerRejected('a length has more bytes than it needs')
  return { length, from: at + 1 + count }
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]
  if (byte === undefined) throw cut()
  return byte
}

const cut = (): DerRejected => new DerRejected('it ends too early')

/** What a universal type may look like. Others are for whoever knows them. */
function checkForm(tag: number, content: Uint8Array): void {
  if ((tag & 0xc0) !== 0) return
  const isConstructed = (tag & CONSTRUCTED) !== 0
  if (isConstructed !== (tag === DER_TAGS.sequence || tag === DER_TAGS.set))
    throw new DerRejected('a value has the form of another type')
  const [first = 0, second = 0] = content
  switch (tag) {
    case DER_TAGS.boolean:
      if (content.length !== 1 || (first !== 0 && first !== 0xff))
        throw new DerRejected('a BOOLEAN is neither')
      return
    case DER_TAGS.integer:
      if (content.length === 0) throw new DerRejected('an INTEGER is empty')
      if (content.length > 1 && (first === 0 ? second < 0x80 : first === 0xff && second >= 0x80))
        throw new DerRejected('an INTEGER has more bytes than it needs')
      return
    case DER_TAGS.null:
      if (content.length > 0) throw new DerRejected('a NULL is not empty')
      return
    case DER_TAGS.oid:
      checkOid(content)
      return
    default:
  }
}

function checkOid(content: Uint8Array): void {
  if (content.length === 0 || (content.at(-1) ?? 0) >= 0x80)
    throw new DerRejected('an OBJECT IDENTIFIER is cut')
  for (const [at, byte] of content.entries())
    if (byte === 0x80 && (at === 0 || (content[at - 1] ?? 0) < 0x80))
      throw new DerRejected('an OBJECT IDENTIFIER has more bytes than it needs')
}
