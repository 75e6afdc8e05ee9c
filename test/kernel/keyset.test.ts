// Page cursors: opaque text that only we can make, good for one scope.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cursorCodec } from '../../server/contract/keyset.ts'

const codec = cursorCodec(Buffer.alloc(32, 1))
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
)

describe('cursors', () => {
  it('decode to the values they were made of, in their own scope', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(value, { minLength: 1, maxLength: 4 }), (scope, values) => {
        expect(codec.decode(scope, codec.encode(scope, values))).toEqual(JSON.parse(JSON.stringify(values)))
      }),
    )
  })

  it('are safe in an address as they are', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1 }), (values) => {
        expect(codec.encode('a', values)).toMatch(/^[A-Za-z0-9_-]+$/)
      }),
    )
  })

  it('decode in no other scope, under no other key', () => {
    const text = codec.encode('beacon:-id', ['x'])
    for (const scope of ['beacon:id', 'block:-id', 'beacon', 'beacon:-id ', '', 'beacon:-idx'])
      expect(codec.decode(scope, text)).toBeUndefined()
    expect(cursorCodec(Buffer.alloc(32, 2)).decode('beacon:-id', text)).toBeUndefined()
  })

  it('a scope and its values cannot be shifted against each other', () => {
    const text = codec.encode('ab', ['c'])
    const body = Buffer.from(text, 'base64url').subarray(12)
    expect(codec.decode(`ab${body.subarray(0, 1)}`, text)).toBeUndefined()
  })

  it('do not decode when any single bit is changed, or when cut or padded', () => {
    const text = codec.encode('a', ['01a2ce8e-9320-7630-bb7f-73edc8868b1d'])
    const bytes = Buffer.from(text, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(codec.decode('a', changed.toString('base64url'))).toBeUndefined()
    }
    for (let length = 0; length < text.length; length += 1)
      expect(codec.decode('a', text.slice(0, length))).toBeUndefined()
    for (const wrong of [`${text}=`, `${text}A`, ` ${text}`, `${text}\n`])
      expect(codec.decode('a', wrong)).toBeUndefined()
  })

  it('anything else is no cursor, however long', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.string({ minLength: 5_000 })),
        (text) => {
          expect(codec.decode('a', text)).toBeUndefined()
        },
      ),
    )
  })
})
