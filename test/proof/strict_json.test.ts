// The strict reader: what JSON.parse takes, less what could be read in two ways.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, isJsonObject, type JsonValue } from '../../shared/proof/json_value.ts'
import { readStrictJson, StrictJsonError } from '../../shared/proof/strict_json.ts'
import { anyJson } from './any_json.ts'
import { vectors } from './vectors.ts'

describe('strict reader refuses', () => {
  const reasons: Record<string, StrictJsonError['reason']> = {
    empty: 'syntax',
    'cut short': 'syntax',
    'text after the document': 'syntax',
    'duplicate member': 'duplicate_member',
    'unpaired surrogate': 'unpaired_surrogate',
    'nested too deep': 'too_deep',
  }

  it.each(vectors.rejected_texts)('known answer: $name', ({ name, text }) => {
    if (name === 'a list') expect(readStrictJson(text)).toEqual([1])
    else expect(refusal(text)?.reason).toBe(reasons[name])
  })

  it.each<[string, StrictJsonError['reason'], number]>([
    ['{"a":1,"a":1}', 'duplicate_member', 7],
    ['{"a":1,"\\u0061":1}', 'duplicate_member', 7],
    ['{"__proto__":1,"__proto__":1}', 'duplicate_member', 15],
    ['[{"b":{},"c":0,"b":0}]', 'duplicate_member', 15],
    ['["\\ud800"]', 'unpaired_surrogate', 1],
    ['["\\udc00\\ud800"]', 'unpaired_surrogate', 1],
    ['["\\ud83dx\\ude00"]', 'unpaired_surrogate', 1],
    ['["\\ud800\\ud83d\\ude00"]', 'unpaired_surrogate', 1],
    ['{"\\udfff":1}', 'unpaired_surrogate', 1],
    ['["a\ud800"]', 'unpaired_surrogate', 3],
    ['["a\ud83d\\ude00"]', 'unpaired_surrogate', 3],
    ['\ufeff{}', 'invalid_utf8', 0],
    ['1e999', 'number_out_of_range', 0],
    ['[-1e309]', 'number_out_of_range', 1],
    ['[0,1.8e308]', 'number_out_of_range', 3],
    [`[${'9'.repeat(310)}]`, 'number_out_of_range', 1],
    ['', 'syntax', 0],
    ['{"a":1,}', 'syntax', 7],
    ['[1,]', 'syntax', 3],
    ['{} {}', 'syntax', 3],
    ['01', 'syntax', 1],
    ['-', 'syntax', 1],
    ['1.', 'syntax', 2],
    ['.5', 'syntax', 0],
    ['+1', 'syntax', 0],
    ['1e+', 'syntax', 3],
    ['"a\tb"', 'syntax', 2],
    ['"a', 'syntax', 2],
    ['"\\x"', 'syntax', 1],
    ['"\\u12g4"', 'syntax', 1],
    ['"\\', 'syntax', 1],
    ['"ab\\u12"', 'syntax', 3],
    ['tru', 'syntax', 0],
    ['NaN', 'syntax', 0],
    ["{'a':1}", 'syntax', 1],
    ['{a:1}', 'syntax', 1],
    ['{"a" 1}', 'syntax', 5],
    ['[1 2]', 'syntax', 3],
    ['\u00a01', 'syntax', 0],
    ['/**/1', 'syntax', 0],
    ['[\ufeff]', 'syntax', 1],
  ])('%j as %s at %i', (text, reason, offset) => {
    expect(refusal(text)).toMatchObject({ name: 'StrictJsonError', reason, offset })
  })

  it.each<[string, number]>([
    ['22c020', 1],
    ['22eda08022', 1],
    ['22f4908080', 1],
    ['22e282', 1],
    ['22ff22', 1],
    ['22c3a9c3', 3],
    ['efbbbf7b7d', 0],
  ])('the bytes %s as no UTF-8, at byte %i', (hex, offset) => {
    const refused = refusal(new Uint8Array(Buffer.from(hex, 'hex')))
    expect(refused).toMatchObject({ reason: 'invalid_utf8', offset })
  })

  it('one level more than allowed, and not one less', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = (depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`
      expect(readStrictJson(nested(64))).toBeDefined()
      expect(refusal(nested(65))).toMatchObject({ reason: 'too_deep', offset: open.length * 64 })
      expect(readStrictJson(nested(3), { maxDepth: 3 })).toBeDefined()
      expect(refusal(nested(4), 3)?.reason).toBe('too_deep')
    }
    expect(readStrictJson('1', { maxDepth: 0 })).toBe(1)
  })

  it('a bomb of brackets at once, without using the stack', () => {
    expect(refusal('['.repeat(5_000_000))).toMatchObject({ reason: 'too_deep', offset: 64 })
  })
})

describe('strict reader gives', () => {
  it('numbers where a double is exact enough and bigints beyond', () => {
    const read = (text: string): JsonValue => readStrictJson(text)
    expect(read('9007199254740991')).toBe(9007199254740991)
    expect(read('-9007199254740991')).toBe(-9007199254740991)
    expect(read('9007199254740992')).toBe(9007199254740992n)
    expect(read('-18446744073709551615')).toBe(-18446744073709551615n)
    expect(read('9007199254740993.0')).toBe(9007199254740992)
    expect(read('1e20')).toBe(1e20)
    expect(read('1E-2')).toBe(0.01)
    expect(read('1e-999')).toBe(0)
    expect(Object.is(read('-0'), -0)).toBe(true)
    expect(Object.is(read('-0.0'), -0)).toBe(true)
    fc.assert(
      fc.property(fc.bigInt(), (n) => {
        expect(String(read(String(n)))).toBe(String(n))
      }),
    )
  })

  it('the same for text and for its UTF-8 bytes', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = JSON.stringify(value)
        expect(readStrictJson(new TextEncoder().encode(text))).toEqual(readStrictJson(text))
      }),
    )
  })

  it('every member as the object’s own, __proto__ too', () => {
    const value = readStrictJson('{"__proto__":{"polluted":true},"constructor":1,"toString":null}')
    expect(isJsonObject(value) && Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    expect(value).not.toHaveProperty('polluted')
  })

  it('all escapes decoded', () => {
    expect(readStrictJson('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00e9\\uD83D\\uDE00é😀\\u007f"')).toBe(
      '"\\/\b\f\n\r\t\0é😀é😀\x7f',
    )
  })

  it('back what canonical JSON wrote', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalJson(value)
        expect(plain(readStrictJson(text))).toEqual(JSON.parse(text))
        expect(plain(readStrictJson(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })
})

describe('strict reader against JSON.parse', () => {
  it('agrees on every JSON text', () => {
    const spaced = fc.tuple(anyJson, fc.constantFrom(0, 1, '\t', '\n \r\t'))
    fc.assert(
      fc.property(spaced, ([value, space]) => agree(JSON.stringify(value, null, space))),
      { numRuns: 500 },
    )
  })

  it('agrees on mutated texts', () => {
    const pieces = [
      ...'{}[]",:\\ \n\t0123456789-+.eEtrufalsn/',
      '\\u',
      '\\ud83d',
      '\\ude00',
      '\u0000',
      '"":',
      '1e400',
    ]
    const mutation = fc.record({
      at: fc.nat(),
      remove: fc.nat({ max: 3 }),
      insert: fc.array(fc.constantFrom(...pieces), { maxLength: 2 }),
    })
    fc.assert(
      fc.property(anyJson, fc.array(mutation, { minLength: 1, maxLength: 3 }), (value, mutations) => {
        let text = JSON.stringify(value)
        for (const { at, remove, insert } of mutations) {
          const place = at % (text.length + 1)
          text = text.slice(0, place) + insert.join('') + text.slice(place + remove)
        }
        agree(text)
      }),
      { numRuns: 4000 },
    )
  })

  it('agrees on texts put together from tokens', () => {
    const tokens = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '""',
      '0',
      '-1',
      '1.5',
      '1e2',
      'true',
      'null',
      ' ',
      '-',
      '"',
    ]
    const soup = fc.array(fc.constantFrom(...tokens), { maxLength: 12 }).map((parts) => parts.join(''))
    fc.assert(fc.property(soup, agree), { numRuns: 5000 })
  })
})

/** Ours accepts: theirs does, with the same value. Ours finds bad syntax: theirs does. The other reasons are ours alone. */
function agree(text: string): void {
  const theirs = outcome(() => JSON.parse(text))
  const ours = outcome(() => readStrictJson(text))
  if (ours.refused === undefined) {
    expect(theirs.refused).toBeUndefined()
    expect(plain(ours.value)).toEqual(theirs.value)
    expect(canonicalJson(plain(ours.value))).toBe(canonicalJson(theirs.value))
    return
  }
  expect(ours.refused).toBeInstanceOf(StrictJsonError)
  if (ours.refused instanceof StrictJsonError && ours.refused.reason === 'syntax')
    expect(theirs.refused).toBeInstanceOf(SyntaxError)
}

function outcome(read: () => JsonValue): { value: JsonValue; refused?: unknown } {
  try {
    return { value: read() }
  } catch (refused) {
    return { value: null, refused }
  }
}

/** With bigints as the doubles JSON.parse makes of them. */
function plain(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(plain)
  if (isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
  return value
}

function refusal(input: string | Uint8Array, maxDepth?: number): StrictJsonError | undefined {
  try {
    readStrictJson(input, maxDepth === undefined ? {} : { maxDepth })
  } catch (error) {
    if (error instanceof StrictJsonError) return error
    throw error
  }
  return undefined
}
