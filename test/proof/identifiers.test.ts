// Ids: one spelling each, their time readable, their order that of time.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ulidFloor, ulidFrom, uuid7Floor, uuid7From } from '../../server/kernel/identifiers.ts'
import {
  isUlid,
  isUuid7,
  normalizeUlid,
  normalizeUuid7,
  ULID_LENGTH,
  ulidTime,
  uuid7Time,
} from '../../shared/proof/ids.ts'
import { vectors } from './vectors.ts'

const anyMs = fc.oneof(fc.nat({ max: 2 ** 48 - 1 }), fc.constantFrom(0, 1798761750000, 2 ** 48 - 1))
const anyRandomness = fc.uint8Array({ minLength: 10, maxLength: 10 })

describe.each(vectors.ids)('known answer $id', ({ id, kind, unix_ms }) => {
  it(`has ${unix_ms === null ? 'no time' : 'its time'}`, () => {
    if (kind === 'uuidv7') {
      expect(uuid7Time(id)).toBe(unix_ms ?? undefined)
      expect(isUuid7(id)).toBe(unix_ms !== null)
    } else if (unix_ms === null) {
      expect(isUlid(id)).toBe(false)
      expect(() => ulidTime(id)).toThrow(RangeError)
    } else {
      expect(isUlid(id)).toBe(true)
      expect(ulidTime(id)).toBe(unix_ms)
    }
  })
})

describe('ULID', () => {
  it('keeps its time, and its randomness in order', () => {
    fc.assert(
      fc.property(anyMs, anyRandomness, anyRandomness, (ms, randomness, other) => {
        const id = ulidFrom(ms, randomness)
        expect(id).toHaveLength(ULID_LENGTH)
        expect(isUlid(id)).toBe(true)
        expect(ulidTime(id)).toBe(ms)
        expect(order(id, ulidFrom(ms, other))).toBe(Buffer.compare(randomness, other))
        expect(normalizeUlid(id.toLowerCase())).toBe(id)
      }),
    )
  })

  it('sorts by time, the floor of a millisecond first', () => {
    fc.assert(
      fc.property(anyMs, anyMs, anyRandomness, (a, b, randomness) => {
        expect(order(ulidFloor(a), ulidFrom(a, randomness))).toBeLessThanOrEqual(0)
        if (a < b) expect(ulidFrom(a, new Uint8Array(10).fill(255)) < ulidFloor(b)).toBe(true)
      }),
    )
  })

  it('known spelling of the extremes', () => {
    expect(ulidFloor(0)).toBe('0'.repeat(26))
    expect(ulidFrom(2 ** 48 - 1, new Uint8Array(10).fill(255))).toBe(`7${'Z'.repeat(25)}`)
    expect(ulidFrom(1798761750000, new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, 0, 33]))).toBe(
      '01MB78W7FG0000000000000011',
    )
  })

  it.each(['', '01MB78W7FGY7TZHKNWE7WA3Z5', '01MB78W7FGY7TZHKNWE7WA3Z577', '81MB78W7FGY7TZHKNWE7WA3Z57'])(
    'refuses %j in either case',
    (text) => {
      expect(isUlid(text)).toBe(false)
      expect(normalizeUlid(text)).toBeUndefined()
    },
  )

  it.each([...'ILOUilou!\u017f\n'])('refuses the letter %j', (letter) => {
    const text = `01MB78W7FGY7TZHKNWE7WA3Z5${letter}`
    expect(isUlid(text)).toBe(false)
    expect(normalizeUlid(text)).toBeUndefined()
  })

  it('lowercase is a spelling to normalise, not an id', () => {
    expect(isUlid('01mb78w7fgy7tzhknwe7wa3z57')).toBe(false)
    expect(normalizeUlid('01mb78w7fgY7TZHKNWE7WA3Z57')).toBe('01MB78W7FGY7TZHKNWE7WA3Z57')
  })

  it('refuses times and randomness of the wrong size', () => {
    for (const ms of [-1, 2 ** 48, 1.5, Number.NaN]) expect(() => ulidFloor(ms)).toThrow(RangeError)
    expect(() => ulidFrom(0, new Uint8Array(9))).toThrow(RangeError)
  })
})

describe('UUIDv7', () => {
  it('keeps its time, and is normal from either case', () => {
    fc.assert(
      fc.property(anyMs, anyRandomness, (ms, randomness) => {
        const id = uuid7From(ms, randomness)
        expect(isUuid7(id)).toBe(true)
        expect(uuid7Time(id)).toBe(ms)
        expect(normalizeUuid7(id.toUpperCase())).toBe(id)
      }),
    )
  })

  it('sorts by time, the floor of a millisecond first', () => {
    fc.assert(
      fc.property(anyMs, anyMs, anyRandomness, (a, b, randomness) => {
        expect(order(uuid7Floor(a), uuid7From(a, randomness))).toBeLessThanOrEqual(0)
        if (a < b) expect(uuid7From(a, new Uint8Array(10).fill(255)) < uuid7Floor(b)).toBe(true)
      }),
    )
  })

  it('known spelling of the extremes', () => {
    expect(uuid7Floor(1798761780000)).toBe('01a2ce8e-9320-7000-8000-000000000000')
    expect(uuid7From(2 ** 48 - 1, new Uint8Array(10).fill(255))).toBe('ffffffff-ffff-7fff-bfff-ffffffffffff')
  })

  it.each([
    '',
    '01a2ce8e-9320-4630-bb7f-73edc8868b1d',
    '01a2ce8e-9320-7630-cb7f-73edc8868b1d',
    '01a2ce8e93207630bb7f73edc8868b1d',
    '{01a2ce8e-9320-7630-bb7f-73edc8868b1d}',
    '01a2ce8e-9320-7630-bb7f-73edc8868b1d\n',
    '01a2ce8e-9320-7630-bb7f-73edc8868b1g',
  ])('refuses %j', (text) => {
    expect(isUuid7(text)).toBe(false)
    expect(normalizeUuid7(text)).toBeUndefined()
  })

  it('a time needs version 7 and lowercase; the variant is not looked at', () => {
    expect(uuid7Time('01a2ce8e-9320-7630-cb7f-73edc8868b1d')).toBe(1798761780000)
    expect(uuid7Time('01a2ce8e-9320-4630-bb7f-73edc8868b1d')).toBeUndefined()
    expect(uuid7Time('01A2CE8E-9320-7630-BB7F-73EDC8868B1D')).toBeUndefined()
  })

  it('refuses times and randomness of the wrong size', () => {
    for (const ms of [-1, 2 ** 48, 1.5, Number.NaN]) expect(() => uuid7Floor(ms)).toThrow(RangeError)
    expect(() => uuid7From(0, new Uint8Array(11))).toThrow(RangeError)
  })
})

function order(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
