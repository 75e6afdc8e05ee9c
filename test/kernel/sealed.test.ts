// Secrets at rest: what was sealed opens at its own place under its own key, and in no other way.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { masterKey, SealBroken } from '../../server/kernel/sealed.ts'

const key = masterKey(Buffer.alloc(32, 1))
const other = masterKey(Buffer.alloc(32, 2))

describe('sealed values', () => {
  it('open to what was sealed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.string(), (plain, place) => {
        expect([...key.open(key.seal(plain, place), place)]).toEqual([...plain])
      }),
    )
  })

  it('do not open when any single bit is changed', () => {
    const sealed = key.seal(Buffer.from('a secret of some length'), 'signing_keys/1')
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => key.open(changed, 'signing_keys/1')).toThrow(SealBroken)
    }
  })

  it('do not open when cut short or made longer, however short', () => {
    const sealed = key.seal(Buffer.from('a secret'), 'place')
    for (let length = 0; length < sealed.length; length += 1)
      expect(() => key.open(sealed.subarray(0, length), 'place')).toThrow(SealBroken)
    expect(() => key.open(Buffer.concat([sealed, Buffer.of(0)]), 'place')).toThrow(SealBroken)
  })

  it('do not open at another place, or under another key', () => {
    const sealed = key.seal(Buffer.from('a secret'), 'api_keys/1')
    for (const place of ['api_keys/2', 'api_keys/', '', 'API_KEYS/1', 'api_keys/1 '])
      expect(() => key.open(sealed, place)).toThrow(SealBroken)
    expect(() => other.open(sealed, 'api_keys/1')).toThrow(SealBroken)
  })

  it('never look the same twice, and do not show what is in them', () => {
    const plain = Buffer.from('a secret that could be recognised')
    const seals = Array.from({ length: 50 }, () => key.seal(plain, 'place').toString('hex'))
    expect(new Set(seals).size).toBe(50)
    for (const seal of seals) expect(seal).not.toContain(plain.subarray(0, 8).toString('hex'))
  })

  it('the refusal names the place and not the secret', () => {
    expect(() => other.open(key.seal(Buffer.from('hunter2'), 'place x'), 'place x')).toThrow(/place x/)
  })
})

describe('a master key', () => {
  it('has 32 bytes', () => {
    for (const length of [0, 16, 31, 33, 64])
      expect(() => masterKey(Buffer.alloc(length))).toThrow(RangeError)
  })

  it('derives one key per purpose, the same every time, none of them the key itself', () => {
    const keys = ['a', 'b', 'page cursors', 'seal v1'].map((purpose) => key.derive(purpose).toString('hex'))
    expect(new Set(keys).size).toBe(4)
    expect(keys).not.toContain(Buffer.alloc(32, 1).toString('hex'))
    expect(masterKey(Buffer.alloc(32, 1)).derive('a').toString('hex')).toBe(keys[0])
    expect(other.derive('a').toString('hex')).not.toBe(keys[0])
  })
})
