// Conversions between bytes and text: lowercase hex, base64 and base64url (RFC 4648 sections 4 and 5),
// big-endian integers.

export function toHex(bytes: Uint8Array): string {
  if (HEX_TEXT === undefined || 2 * bytes.length > HEX_TEXT.length) return joinedPairs(bytes)
  let end = 0
  for (const byte of bytes) {
    HEX_TEXT[end++] = HEX_CODES[byte >> 4] ?? 0
    HEX_TEXT[end++] = HEX_CODES[byte & 15] ?? 0
  }
  return HEX_TEXT.toString('latin1', 0, end)
}

function joinedPairs(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += HEX_PAIRS[byte]
  return text
}

/**
 * The bytes of lowercase hex.
 * @throws RangeError on any other character or an odd length
 */
export function fromHex(text: string): Uint8Array {
  const bytes = hexOrUndefined(text)
  if (bytes === undefined) throw new RangeError('not lowercase hex of whole bytes')
  return bytes
}

/** As `fromHex`, but undefined for any other text. */
export function hexOrUndefined(text: string): Uint8Array | undefined {
  if (!isHex(text)) return undefined
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++)
    bytes[i] = (digitOf(text.charCodeAt(2 * i)) << 4) | digitOf(text.charCodeAt(2 * i + 1))
  return bytes
}

/** Of a character of lowercase hex. The last four bits of a letter count from 1, so it takes 9 more. */
const digitOf = (code: number): number => (code & 15) + 9 * (code >> 6)

/** Whether `text` is lowercase hex of whole bytes, and of exactly `byteLength` bytes when that is given. */
export function isHex(text: string, byteLength?: number): boolean {
  if (byteLength === undefined ? text.length % 2 !== 0 : text.length !== 2 * byteLength) return false
  return /^[0-9a-f]*$/.test(text)
}

/** Standard alphabet with `=` padding. Used for keys and signatures. */
export function toBase64(bytes: Uint8Array): string {
  let characters = ''
  for (let at = 0; at < bytes.length; at += PIECE)
    characters += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return btoa(characters)
}

/** A call takes so many arguments in every browser. */
const PIECE = 4_096

/**
 * Accepts one spelling only: padded, no white space, unused bits zero.
 * @throws RangeError on any other text
 */
export function fromBase64(text: string): Uint8Array {
  const characters = decoded(text)
  if (btoa(characters) !== text) throw new RangeError('not base64, or not in its one spelling')
  const bytes = new Uint8Array(characters.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i)
  return bytes
}

/** A character for each byte. It takes other spellings too. Empty for what is no base64. */
function decoded(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}

/** URL alphabet without padding. Used for Merkle paths. */
export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/**
 * Accepts one spelling only: no padding, no white space, unused bits zero.
 * @throws RangeError on any other text
 */
export function fromBase64Url(text: string): Uint8Array {
  if (/[+/=]/.test(text)) throw new RangeError('not base64url')
  const padded = text.padEnd(4 * Math.ceil(text.length / 4), '=')
  return fromBase64(padded.replaceAll('-', '+').replaceAll('_', '/'))
}

export function concatBytes(...parts: Uint8Array[]): Uint8Array {
  return joinBytes(parts)
}

/** As `concatBytes`, for a list. The list may be longer than the number of arguments a call can take. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const joined = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}

/** @throws RangeError on an unpaired surrogate, because TextEncoder would silently replace it with U+FFFD */
export function utf8(text: string): Uint8Array {
  if (!text.isWellFormed()) throw new RangeError('text with an unpaired surrogate has no UTF-8 form')
  return textEncoder.encode(text)
}

/**
 * The text in its one reading: a byte order mark stays.
 * @throws RangeError with these words for bytes that are not UTF-8
 */
export function strictUtf8(bytes: Uint8Array, otherwise: string): string {
  try {
    return strictDecoder.decode(bytes)
  } catch {
    throw new RangeError(otherwise)
  }
}

export function u8(value: number): Uint8Array {
  return bigEndian(value, 1)
}

export function u16(value: number): Uint8Array {
  return bigEndian(value, 2)
}

export function u32(value: number): Uint8Array {
  return bigEndian(value, 4)
}

export function u64(value: number | bigint): Uint8Array {
  if (typeof value === 'number') return bigEndian(value, 8)
  if (value < 0n || value >= 1n << 64n) throw new RangeError(`${value} does not fit 8 bytes`)
  return concatBytes(u32(Number(value >> 32n)), u32(Number(value & 0xffff_ffffn)))
}

/** `LP(x)`: the length as u32, then the bytes. */
export function lengthPrefixed(bytes: Uint8Array): Uint8Array {
  return concatBytes(u32(bytes.length), bytes)
}

/** Takes constant time for equal lengths. The length itself is not secret. */
export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0)
  return difference === 0
}

/** What a reader makes of bytes or text. Undefined where they have another form: readers throw a RangeError then. */
export function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** What `read` returns, or the error of this kind that it throws. */
export function readOrError<T, Caught extends Error>(
  read: () => T,
  Kind: new (...words: never[]) => Caught,
): T | Caught {
  try {
    return read()
  } catch (error) {
    if (error instanceof Kind) return error
    throw error
  }
}

/** What `read` returns. Where it throws an error of this kind, what `become` makes of that is thrown instead. */
export function rethrown<T, Caught extends Error>(
  read: () => T,
  Kind: new (...words: never[]) => Caught,
  become: (error: Caught) => Error,
): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof Kind ? become(error) : error
  }
}

/**
 * Where Node writes the text of a hash, which takes half as long as joining pairs, and leaves no garbage: each pair that is
 * joined takes 32 bytes. Browsers have nothing of the kind.
 */
const HEX_TEXT = globalThis.process?.getBuiltinModule?.('node:buffer').Buffer.alloc(256)
const HEX_PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const HEX_CODES = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))
const textEncoder = new TextEncoder()
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Uses arithmetic, because bit shifts would cut the value to 32 bits. */
function bigEndian(value: number, size: number): Uint8Array {
  if (!Number.isSafeInteger(value) || value < 0 || value >= 256 ** size)
    throw new RangeError(`${value} is not an unsigned integer of ${size} bytes`)
  const bytes = new Uint8Array(size)
  for (let i = size - 1, rest = value; rest > 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest % 256
  return bytes
}

/**
 * A read position in a byte array. It only moves forward.
 * Every method throws RangeError when the bytes end too early.
 */
export class ByteCursor {
  readonly bytes: Uint8Array
  protected readonly view: DataView
  at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get atEnd(): boolean {
    return this.at === this.bytes.length
  }

  /** A view of the next `length` bytes, not a copy. */
  take(length: number): Uint8Array {
    const start = this.advance(length)
    return this.bytes.subarray(start, start + length)
  }

  byte(): number {
    return this.view.getUint8(this.advance(1))
  }

  /** @returns where the bytes begin that were passed */
  protected advance(length: number): number {
    const start = this.at
    const left = this.bytes.length - start
    if (length > left)
      throw new RangeError(`the bytes end too early: ${length} are needed where ${left} are left`)
    this.at = start + length
    return start
  }
}
