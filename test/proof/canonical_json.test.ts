// Canonical JSON: one spelling per value, whatever the spelling it came in.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex, utf8 } from '../../shared/proof/bytes.ts'
import { jsonHash } from '../../shared/proof/composites.ts'
import { canonicalJson, type JsonValue } from '../../shared/proof/json_value.ts'
import { readStrictJson } from '../../shared/proof/strict_json.ts'
import { anyJson, shuffled } from './any_json.ts'
import { vectors } from './vectors.ts'

describe('canonical JSON', () => {
  it.each(vectors.jcs)(
    'known answer for $input_text',
    ({ input_text, canonical, byte_length, sha256_0x11 }) => {
      const value = readStrictJson(input_text)
      expect(canonicalJson(value)).toBe(canonical)
      expect(utf8(canonical).length).toBe(byte_length)
      expect(toHex(jsonHash('items_claims', value))).toBe(sha256_0x11)
    },
  )

  // RFC 8785 appendix B, the doubles by their bits.
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('the double %s is written %s', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text)
  })

  it('does not depend on the order of members, and is its own canonical form', () => {
    fc.assert(
      fc.property(anyJson, fc.infiniteStream(fc.nat()), (value, dice) => {
        const text = canonicalJson(value)
        expect(canonicalJson(shuffled(value, dice))).toBe(text)
        expect(canonicalJson(readStrictJson(text))).toBe(text)
      }),
    )
  })

  it('says what JSON.stringify says with sorted names', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const sorted = (_: string, member: unknown): unknown =>
          typeof member === 'object' && member !== null && !Array.isArray(member)
            ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
            : member
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value, sorted)))
        if (!/"(0|[1-9][0-9]*)":/.test(text)) expect(text).toBe(JSON.stringify(value, sorted)) // objects keep index names first
      }),
    )
  })

  it('sorts by UTF-16 code units, index names among the others', () => {
    expect(canonicalJson(readStrictJson('{"10":1,"9":2,"a":3,"\\ufb33":4,"\\ud83d\\ude02":5,"\\r":6}'))).toBe(
      '{"\\r":6,"10":1,"9":2,"a":3,"😂":5,"\ufb33":4}',
    )
  })

  it('a member called __proto__ is a member', () => {
    const text = '{"__proto__":{"x":1},"constructor":2}'
    expect(canonicalJson(readStrictJson(text))).toBe(text)
  })

  it('big integers keep their digits', () => {
    fc.assert(
      fc.property(fc.bigInt(), (n) => {
        expect(canonicalJson([n])).toBe(`[${n}]`)
      }),
    )
  })

  it('goes as deep as the strict reader, and far deeper', () => {
    for (const depth of [64, 1000]) {
      const text = `${'[{"a":'.repeat(depth / 2)}0${'}]'.repeat(depth / 2)}`
      expect(canonicalJson(readStrictJson(text, { maxDepth: depth }))).toBe(text)
    }
  })

  it('refuses what JSON cannot say', () => {
    const outside: unknown[] = [
      Number.NaN,
      Infinity,
      -Infinity,
      '\ud800',
      '\udc00a',
      undefined,
      () => 0,
      Symbol('s'),
    ]
    for (const value of outside) {
      expect(() => canonicalJson(value as JsonValue)).toThrow(RangeError)
      expect(() => canonicalJson([value as JsonValue])).toThrow(RangeError)
      expect(() => canonicalJson({ a: value as JsonValue })).toThrow(RangeError)
    }
    expect(() => canonicalJson({ '\ud800': 1 })).toThrow(RangeError)
  })
})
