// DER is written in its one form, and read in no other.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DerRejected, readDer } from '../../shared/time_stamps/read_der.ts'
import {
  der,
  derInteger,
  generalizedTime,
  namedBit,
  oid,
  sequence,
  setOf,
  time,
} from '../../shared/time_stamps/write_der.ts'
import { readTlv, tlv } from '../support/time_stamps/second_der.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

describe('what is written', () => {
  it.each([
    ['an object identifier', oid('1.2.840.113549.1.7.2'), '06092a864886f70d010702'],
    ['one of two numbers', oid('2.999'), '06028837'],
    // 2.25 and a UUID, as in ITU-T X.667.
    [
      'one made from a UUID',
      oid('2.25.329800735698586629295641978511506172918'),
      '06146983f09da7ebcfdee0c7a1a7b2c0948cc8f9d776',
    ],
    ['zero', derInteger(0), '020100'],
    ['an integer whose first bit is set', derInteger(128), '02020080'],
    ['a long integer', derInteger(0x1_0000_0000_0000_0001n), '0209010000000000000001'],
    ['a bit', namedBit(0), '03020780'],
    ['the last bit of a byte', namedBit(15), '0303000001'],
    ['a bit of the fourth byte', namedBit(25), '03050600000040'],
    [
      'a set in the order of its bytes',
      setOf(derInteger(3), derInteger(300), derInteger(2)),
      '310a0201020201030202012c',
    ],
    [
      'a time',
      generalizedTime(Date.UTC(2026, 0, 2, 3, 4, 5, 999)),
      `180f${hex(Buffer.from('20260102030405Z'))}`,
    ],
    ['a time of certificates', time(Date.UTC(2049, 11, 31)), `170d${hex(Buffer.from('491231000000Z'))}`],
    ['one from 2050 on', time(Date.UTC(2050, 0, 1)), `180f${hex(Buffer.from('20500101000000Z'))}`],
    ['a length of two bytes', der(4, new Uint8Array(128)).subarray(0, 3), '048180'],
    ['a length of three bytes', der(4, new Uint8Array(256)).subarray(0, 4), '04820100'],
  ])('is %s', (_, bytes, expected) => {
    expect(hex(bytes)).toBe(expected)
  })

  it('is no negative number, and no name that is none', () => {
    expect(() => derInteger(-1)).toThrow(RangeError)
    for (const name of ['', '1', '3.1', '0.40', '1.02', '1..2', '1.2.-3', 'x'])
      expect(() => oid(name), name).toThrow(RangeError)
  })

  it('is read again as it was, by the reader and by another', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 8 }),
        fc.bigInt({ min: 0n }),
        (parts, number) => {
          const bytes = sequence(derInteger(number), ...parts.map((part) => der(4, part)))
          const read = readDer(bytes)
          expect(hex(bytes)).toBe(
            hex(
              tlv(
                0x30,
                ...readTlv(Buffer.from(bytes))
                  .inside()
                  .map(({ whole }) => whole),
              ),
            ),
          )
          expect(read.parts.map(({ content }) => hex(content)).slice(1)).toEqual(parts.map(hex))
          expect(BigInt(`0x${hex(read.parts[0]?.content ?? new Uint8Array())}`)).toBe(number)
        },
      ),
    )
  })
})

describe('what is read', () => {
  it('is refused in one way, whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        try {
          // What is taken says all of the bytes.
          expect(readDer(bytes).bytes).toEqual(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(DerRejected)
        }
      }),
    )
  })

  it('goes no deeper than it is told', () => {
    const nested = sequence(sequence(sequence()))
    expect(readDer(nested, 3).bytes).toEqual(nested)
    expect(() => readDer(nested, 2)).toThrow(DerRejected)
  })
})
