// A reader of CBOR (RFC 8949) with the limits of the strict JSON reader. It accepts every valid form, refuses
// ambiguity and takes linear time.
import { ByteCursor, joinBytes, strictUtf8 } from '../bytes.ts'
import { setMember } from '../json_value.ts'

/**
 * Stands for what JSON does not have: tags, undefined and other simple values, NaN, infinities, maps with
 * keys that are not text.
 */
export const FOREIGN = Symbol('outside the JSON value space')

export type CborValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | typeof FOREIGN
  | CborValue[]
  | CborMap

/** A plain object. Names are data, as in `JsonObject`. */
export interface CborMap {
  [name: string]: CborValue
}

/**
 * Reads exactly one data item, with or without the self-described CBOR tag in front. Integers that a double
 * cannot hold exactly become bigint. Reserves no memory for a declared length that goes beyond the end of the
 * bytes.
 * @throws RangeError for malformed items, bytes after the item, invalid UTF-8, duplicate keys and nesting
 * deeper than 64 (tags count)
 */
export function readCbor(bytes: Uint8Array): CborValue {
  return new CborReader(bytes).document()
}

const MAX_DEPTH = 64
/** The self-described CBOR tag, and the major type of tags. */
const SELF_DESCRIBED = 55_799
const TAG = 6
/** Values of "additional information": indefinite length, and the "break" of major type 7 that ends it. */
const INDEFINITE = 31
const BREAK = 0xff

class CborReader extends ByteCursor {
  document(): CborValue {
    const isTagged = (this.bytes[0] ?? 0) >> 5 === TAG
    if (isTagged && Number(this.argument(this.byte() & 31)) !== SELF_DESCRIBED) this.at = 0
    const value = this.value(0)
    if (!this.atEnd) throw new RangeError('bytes behind the value')
    return value
  }

  private value(depth: number): CborValue {
    const head = this.byte()
    const info = head & 31
    switch (head >> 5) {
      case 0:
        return narrowed(this.argument(info))
      case 1: {
        const argument = this.argument(info)
        return narrowed(typeof argument === 'bigint' ? -1n - argument : -1 - argument)
      }
      case 2:
        return this.byteString(info)
      case 3:
        return this.text(info)
      case 4:
        return this.array(info, deeper(depth))
      case 5:
        return this.map(info, deeper(depth))
      case TAG:
        this.argument(info)
        this.value(deeper(depth))
        return FOREIGN
      default:
        return this.simpleOrFloat(info)
    }
  }

  private array(info: number, depth: number): CborValue[] {
    let left = this.count(info)
    if (left === 0 || this.ends(left)) return []
    // Starts with the first value, because reserving room for more is expensive when there are many arrays of
    // one value.
    const values: CborValue[] = [this.value(depth)]
    for (left--; left > 0 && !this.ends(left); left--) values.push(this.value(depth))
    return values
  }

  private map(info: number, depth: number): CborMap | typeof FOREIGN {
    const members: CborMap = {}
    let isForeign = false
    for (let left = this.count(info); left > 0 && !this.ends(left); left--) {
      const name = this.value(depth)
      if (typeof name === 'string' && Object.hasOwn(members, name)) throw new RangeError('duplicate key')
      const value = this.value(depth)
      if (typeof name === 'string') setMember(members, name, value)
      else isForeign = true
    }
    return isForeign ? FOREIGN : members
  }

  /** Infinity for an indefinite length. */
  private count(info: number): number {
    return info === INDEFINITE ? Number.POSITIVE_INFINITY : Number(this.argument(info))
  }

  /** Whether the "break" of an indefinite length comes next. If so, moves past it. */
  private ends(left: number): boolean {
    if (left !== Number.POSITIVE_INFINITY || this.bytes[this.at] !== BREAK) return false
    this.at++
    return true
  }

  private byteString(info: number): Uint8Array {
    if (info === INDEFINITE) return joinBytes(this.chunks(2, (length) => this.take(length)))
    return this.take(Number(this.argument(info)))
  }

  private text(info: number): string {
    if (info === INDEFINITE) return this.chunks(3, (length) => this.utf8(length)).join('')
    return this.utf8(Number(this.argument(info)))
  }

  /**
   * The chunks of a string of indefinite length. Each must be of the same kind and of definite length; a text
   * chunk must be complete UTF-8.
   */
  private chunks<T>(majorType: number, read: (length: number) => T): T[] {
    const chunks: T[] = []
    for (let head = this.byte(); head !== BREAK; head = this.byte()) {
      if (head >> 5 !== majorType) throw new RangeError('a chunk of another kind')
      chunks.push(read(Number(this.argument(head & 31))))
    }
    return chunks
  }

  private simpleOrFloat(info: number): CborValue {
    switch (info) {
      case 20:
        return false
      case 21:
        return true
      case 22:
        return null
      case 24:
        if (this.byte() < 32) throw new RangeError('a simple value in no valid form')
        return FOREIGN
      case 25:
        return finite(halfFloat(this.view.getUint16(this.advance(2))))
      case 26:
        return finite(this.view.getFloat32(this.advance(4)))
      case 27:
        return finite(this.view.getFloat64(this.advance(8)))
      default:
        if (info > 27) throw new RangeError('no value begins like this')
        return FOREIGN
    }
  }

  private argument(info: number): number | bigint {
    if (info < 24) return info
    if (info === 24) return this.byte()
    if (info === 25) return this.view.getUint16(this.advance(2))
    if (info === 26) return this.view.getUint32(this.advance(4))
    if (info === 27) return this.view.getBigUint64(this.advance(8))
    throw new RangeError('no argument of that size')
  }

  /**
   * Decodes short ASCII here. Names and ids are short, and a decoder call or a view for each costs more than
   * the rest of the reading.
   */
  private utf8(length: number): string {
    if (length > SHORT) return strictUtf8(this.take(length), NOT_UTF_8)
    const start = this.advance(length)
    let text = ''
    for (let at = start; at < this.at; at++) {
      const byte = this.bytes[at] ?? 0
      if (byte >= 0x80) return strictUtf8(this.bytes.subarray(start, this.at), NOT_UTF_8)
      text += String.fromCharCode(byte)
    }
    return text
  }
}

function deeper(depth: number): number {
  if (depth >= MAX_DEPTH) throw new RangeError('nested too deep')
  return depth + 1
}

function narrowed(value: number | bigint): number | bigint {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

/** Done by hand, because not every browser's DataView has getFloat16. */
function halfFloat(bits: number): number {
  const exponent = (bits >> 10) & 31
  const fraction = (bits & 1023) / 1024
  const sign = bits >> 15 === 0 ? 1 : -1
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15))
}

function finite(value: number): number | typeof FOREIGN {
  return Number.isFinite(value) ? value : FOREIGN
}

/** Strings of at most this many bytes are decoded without TextDecoder. */
const SHORT = 40

const NOT_UTF_8 = 'text that is not UTF-8'
