// Text forms of bytes: one spelling each, both ways.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bytesEqual,
  concatBytes,
  fromBase64,
  fromBase64Url,
  fromHex,
  isHex,
  lengthPrefixed,
  toBase64,
  toBase64Url,
  toHex,
  u8,
  u16,
  u32,
  u64,
  utf8,
} from '../../shared/proof/bytes.ts'

const anyBytes = fc.uint8Array({ maxLength: 200 })

describe('text forms', () => {
  it('agree with Node and read back to the same bytes', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const node = Buffer.from(bytes)
        expect(toHex(bytes)).toBe(node.toString('hex'))
        expect(toBase64(bytes)).toBe(node.toString('base64'))
        expect(toBase64Url(bytes)).toBe(node.toString('base64url'))
        expect(fromHex(toHex(bytes))).toEqual(bytes)
        expect(fromBase64(toBase64(bytes))).toEqual(bytes)
        expect(fromBase64Url(toBase64Url(bytes))).toEqual(bytes)
      }),
    )
    // Longer than what is written in one piece.
    const long = Uint8Array.from({ length: 10_000 }, (_, at) => at)
    expect(toBase64(long)).toBe(Buffer.from(long).toString('base64'))
  })

  it('a text that reads at all is the one spelling of its bytes', () => {
    const closeToBase64 = fc.string({ unit: fc.constantFrom(...'ABgw059+/-_= \n'), maxLength: 12 })
    fc.assert(
      fc.property(closeToBase64, (text) => {
        for (const [read, write] of [
          [fromBase64, toBase64],
          [fromBase64Url, toBase64Url],
          [fromHex, toHex],
        ] as const) {
          const bytes = readOrUndefined(read, text)
          if (bytes !== undefined) expect(write(bytes)).toBe(text)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    'A',
    'AA',
    'AAA',
    'AA=',
    'A===',
    '====',
    '=',
    'AB==',
    'AAB=',
    'AA==AA==',
    'AAA=\n',
    'A-_=',
    'é===',
  ])('refuses %j as base64', (text) => expect(() => fromBase64(text)).toThrow(RangeError))

  it.each(['A', 'AA==', 'AB', 'AAB', '+/', 'AA ', 'AA\n'])('refuses %j as base64url', (text) =>
    expect(() => fromBase64Url(text)).toThrow(RangeError),
  )

  it.each(['a', 'AB', 'aB', '0x', ' 00', '00\n', 'gg'])('refuses %j as hex', (text) => {
    expect(isHex(text)).toBe(false)
    expect(() => fromHex(text)).toThrow(RangeError)
  })

  it('isHex holds to a size when one is given', () => {
    expect(isHex('00ff', 2)).toBe(true)
    expect(isHex('00ff', 3)).toBe(false)
    expect(isHex('', 0)).toBe(true)
  })

  it('UTF-8 of an unpaired surrogate does not exist', () => {
    expect(utf8('é😀')).toEqual(new Uint8Array(Buffer.from('é😀')))
    expect(() => utf8('a\ud800')).toThrow(RangeError)
  })
})

describe('integers', () => {
  it('are big-endian and of fixed size', () => {
    expect(toHex(u8(255))).toBe('ff')
    expect(toHex(u16(258))).toBe('0102')
    expect(toHex(u32(0xdeadbeef))).toBe('deadbeef')
    expect(toHex(u64(1798761600000))).toBe('000001a2ce8bd400')
    expect(toHex(u64(2n ** 64n - 1n))).toBe('ffffffffffffffff')
    fc.assert(
      fc.property(fc.maxSafeNat(), (n) => {
        expect(u64(n)).toEqual(u64(BigInt(n)))
      }),
    )
  })

  it('that do not fit are refused, never cut', () => {
    for (const write of [() => u8(256), () => u8(-1), () => u16(65536), () => u32(2 ** 32), () => u8(1.5)])
      expect(write).toThrow(RangeError)
    for (const value of [2n ** 64n, -1n, 2 ** 53, Number.NaN]) expect(() => u64(value)).toThrow(RangeError)
  })
})

describe('comparing and joining', () => {
  it('equality is that of the bytes', () => {
    fc.assert(
      fc.property(anyBytes, anyBytes, (a, b) => {
        expect(bytesEqual(a, b)).toBe(Buffer.compare(a, b) === 0)
        expect(bytesEqual(a, a.slice())).toBe(true)
        expect(concatBytes(a, b)).toEqual(new Uint8Array(Buffer.concat([a, b])))
      }),
    )
  })

  it('a length prefix is u32 and counts bytes', () => {
    expect(toHex(lengthPrefixed(utf8('é')))).toBe('00000002c3a9')
    expect(toHex(lengthPrefixed(new Uint8Array()))).toBe('00000000')
  })
})

function readOrUndefined(read: (text: string) => Uint8Array, text: string): Uint8Array | undefined {
  try {
    return read(text)
  } catch {
    return undefined
  }
}
