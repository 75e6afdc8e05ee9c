// The strict JSON reader for bundles and claims (RFC 8259). Every text that it accepts has only one reading.
import { type JsonObject, type JsonValue, setMember } from './json_value.ts'

/**
 * Reads one JSON text, as JSON.parse does. Also refuses duplicate member names, unpaired surrogates (plain or
 * escaped), invalid UTF-8, a byte order mark, nesting deeper than `maxDepth` (a scalar has depth 0, `[]` has
 * 1), objects of more than `maxMembers` (no limit by default; a large object costs more than its bytes) and
 * numbers beyond the range of a double.
 * An integer literal that a double cannot hold safely becomes a bigint with exactly its digits. `-0` stays
 * -0. Every other number literal is a number. Objects are plain objects with own members only; a member
 * `__proto__` is defined, not assigned, so it is an ordinary member.
 * Takes linear time. Recurses once per level, so keep `maxDepth` under about 1,000.
 * @throws StrictJsonError
 */
export function readStrictJson(
  input: string | Uint8Array,
  { maxDepth = DEFAULT_MAX_DEPTH, maxMembers = Number.POSITIVE_INFINITY } = {},
): JsonValue {
  const text = typeof input === 'string' ? input : decodeUtf8(input)
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) throw new StrictJsonError('invalid_utf8', 0)
  if (!text.isWellFormed()) throw new StrictJsonError('unpaired_surrogate', firstUnpairedSurrogate(text))
  return new Reader(text, maxDepth, maxMembers).document()
}

const DEFAULT_MAX_DEPTH = 64

const BYTE_ORDER_MARK = 0xfeff
const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const NINE = 0x39
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LOWER_E = 0x65
const LOWER_F = 0x66
const LOWER_N = 0x6e
const LOWER_T = 0x74
const LOWER_U = 0x75
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** A read position in one text. Beyond the end `charCodeAt` returns NaN, and every comparison below then refuses. */
class Reader {
  private readonly text: string
  private readonly maxDepth: number
  private readonly maxMembers: number
  private at = 0

  constructor(text: string, maxDepth: number, maxMembers: number) {
    this.text = text
    this.maxDepth = maxDepth
    this.maxMembers = maxMembers
  }

  document(): JsonValue {
    this.skipSpace()
    const value = this.value(0)
    this.skipSpace()
    if (this.at < this.text.length) throw this.syntaxError()
    return value
  }

  private value(depth: number): JsonValue {
    switch (this.text.charCodeAt(this.at)) {
      case QUOTE:
        return this.string()
      case OPEN_BRACE:
        return this.object(depth + 1)
      case OPEN_BRACKET:
        return this.array(depth + 1)
      case LOWER_T:
        return this.word('true', true)
      case LOWER_F:
        return this.word('false', false)
      case LOWER_N:
        return this.word('null', null)
      default:
        return this.number()
    }
  }

  private object(depth: number): JsonObject {
    const members: JsonObject = {}
    if (this.opensEmpty(depth, CLOSE_BRACE)) return members
    let within: string | undefined
    try {
      for (let read = 1; ; read += 1) {
        const nameAt = this.at
        if (read > this.maxMembers) throw new StrictJsonError('too_many_members', nameAt)
        if (this.text.charCodeAt(nameAt) !== QUOTE) throw this.syntaxError()
        const name = this.string()
        if (Object.hasOwn(members, name)) throw new StrictJsonError('duplicate_member', nameAt)
        this.skipSpace()
        if (this.text.charCodeAt(this.at) !== COLON) throw this.syntaxError()
        this.at++
        this.skipSpace()
        within = name
        setMember(members, name, this.value(depth))
        within = undefined
        if (this.endsAfterValue(CLOSE_BRACE)) return members
      }
    } catch (error) {
      throw placed(error, within)
    }
  }

  private array(depth: number): JsonValue[] {
    if (this.opensEmpty(depth, CLOSE_BRACKET)) return []
    let read = 0
    try {
      // Starts with the first value, because reserving room for more is expensive when there are many arrays
      // of one value.
      const values: JsonValue[] = [this.value(depth)]
      for (read = 1; !this.endsAfterValue(CLOSE_BRACKET); read = values.length) values.push(this.value(depth))
      return values
    } catch (error) {
      throw placed(error, String(read))
    }
  }

  private opensEmpty(depth: number, close: number): boolean {
    if (depth > this.maxDepth) throw new StrictJsonError('too_deep', this.at)
    this.at++
    this.skipSpace()
    if (this.text.charCodeAt(this.at) !== close) return false
    this.at++
    return true
  }

  private endsAfterValue(close: number): boolean {
    this.skipSpace()
    const code = this.text.charCodeAt(this.at)
    if (code !== close && code !== COMMA) throw this.syntaxError()
    this.at++
    if (code === close) return true
    this.skipSpace()
    return false
  }

  private string(): string {
    const start = this.at + 1
    const end = this.endOfRun(start)
    if (this.text.charCodeAt(end) === BACKSLASH) return this.escapedString(start, end)
    this.at = end + 1
    return this.text.slice(start, end)
  }

  /** Continues a string at its first backslash. `start` is the character after the opening quote. */
  private escapedString(start: number, firstBackslash: number): string {
    let at = firstBackslash
    let value = this.text.slice(start, at)
    while (this.text.charCodeAt(at) === BACKSLASH) {
      const kind = this.text.charCodeAt(at + 1)
      const runStart = at + (kind === LOWER_U ? 6 : 2)
      const character = kind === LOWER_U ? this.unicodeEscape(at) : SHORT_ESCAPES.get(kind)
      if (character === undefined) throw this.syntaxError(at)
      at = this.endOfRun(runStart)
      value += character
      if (at > runStart) value += this.text.slice(runStart, at)
    }
    if (!value.isWellFormed()) throw new StrictJsonError('unpaired_surrogate', start - 1)
    this.at = at + 1
    return value
  }

  /** The offset of the quote or backslash that ends a run of plain characters. */
  private endOfRun(start: number): number {
    const text = this.text
    let at = start
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === QUOTE || code === BACKSLASH) return at
      if (!(code >= 0x20)) throw this.syntaxError(at)
      at++
    }
  }

  private unicodeEscape(backslash: number): string | undefined {
    const digits = this.text.slice(backslash + 2, backslash + 6)
    return FOUR_HEX.test(digits) ? String.fromCharCode(Number.parseInt(digits, 16)) : undefined
  }

  private number(): number | bigint {
    const start = this.at
    let at = start + (this.text.charCodeAt(start) === MINUS ? 1 : 0)
    at = this.text.charCodeAt(at) === ZERO ? at + 1 : this.endOfDigits(at)
    const endOfInteger = at
    if (this.text.charCodeAt(at) === DOT) at = this.endOfDigits(at + 1)
    if ((this.text.charCodeAt(at) | 0x20) === LOWER_E) {
      const sign = this.text.charAt(at + 1)
      at = this.endOfDigits(at + (sign === '+' || sign === '-' ? 2 : 1))
    }
    this.at = at
    const literal = this.text.slice(start, at)
    const value = Number(literal)
    // The range applies to integers too. It limits BigInt(), which is slower than linear, to 309 digits.
    if (!Number.isFinite(value)) throw new StrictJsonError('number_out_of_range', start)
    return at === endOfInteger && !Number.isSafeInteger(value) ? BigInt(literal) : value
  }

  /** The offset after one or more digits. */
  private endOfDigits(start: number): number {
    let at = start
    for (;;) {
      const code = this.text.charCodeAt(at)
      if (!(code >= ZERO && code <= NINE)) break
      at++
    }
    if (at === start) throw this.syntaxError(at)
    return at
  }

  private word<T extends boolean | null>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) throw this.syntaxError()
    this.at += word.length
    return value
  }

  private skipSpace(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.at++
    }
  }

  private syntaxError(at = this.at): StrictJsonError {
    return new StrictJsonError('syntax', at)
  }
}

/** Adds the member or element that contains the error. Called from the inside outwards. */
function placed(error: unknown, within: string | undefined): unknown {
  if (error instanceof StrictJsonError && within !== undefined) error.path.unshift(within)
  return error
}

const FOUR_HEX = /^[0-9a-fA-F]{4}$/

const SHORT_ESCAPES = new Map(
  Object.entries({ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(
    ([letter, character]) => [letter.charCodeAt(0), character],
  ),
)

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return UTF_8.decode(bytes)
  } catch {
    throw new StrictJsonError('invalid_utf8', firstInvalidByte(bytes))
  }
}

/** The offset of the first byte where the input and the output of the lenient decoder differ. */
function firstInvalidByte(bytes: Uint8Array): number {
  const lenient = new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
  let at = 0
  while (at < bytes.length && bytes[at] === lenient[at]) at++
  return at
}

function firstUnpairedSurrogate(text: string): number {
  const repaired = text.toWellFormed()
  let at = 0
  while (text.charCodeAt(at) === repaired.charCodeAt(at)) at++
  return at
}

/** A RangeError, like those of all readers. `offset` counts UTF-16 code units of the text; bytes for `invalid_utf8`. */
export class StrictJsonError extends RangeError {
  override readonly name = 'StrictJsonError'
  readonly reason: keyof typeof MEANINGS
  readonly offset: number
  /** The members and elements that contain the error, as far as they were read: `['data', 'json']`. */
  readonly path: string[] = []

  constructor(reason: keyof typeof MEANINGS, offset: number) {
    super(`${MEANINGS[reason]} at offset ${offset}`)
    this.reason = reason
    this.offset = offset
  }
}

const MEANINGS = {
  syntax: 'not JSON',
  duplicate_member: 'duplicate member name',
  unpaired_surrogate: 'unpaired surrogate',
  invalid_utf8: 'not UTF-8 without byte order mark',
  too_deep: 'nested too deep',
  too_many_members: 'too many members',
  number_out_of_range: 'number too large',
} as const
