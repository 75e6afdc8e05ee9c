import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressKey, canonicalAddress, networkKey } from '../../server/kernel/addresses.ts'

describe('an address in one spelling', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:CB00:7107', '203.0.113.7'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
  ])('%s is %s', (text, canonical) => {
    expect(canonicalAddress(text)).toBe(canonical)
  })

  it.each([
    '',
    '1',
    '0x7f.0.0.1',
    '010.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    '::g',
    '1.2.3.4%eth0',
    'example.com',
    '[::1]',
  ])('%s is none', (text) => {
    expect(canonicalAddress(text)).toBeUndefined()
  })

  it('never throws, and what it answers is its own canonical form', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), (text) => {
        const canonical = canonicalAddress(text)
        if (canonical !== undefined) expect(canonicalAddress(canonical)).toBe(canonical)
        expect(addressKey(text).length).toBeLessThanOrEqual(100)
      }),
    )
  })
})

describe('the key of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, key) => {
    expect(addressKey(address)).toBe(key)
  })

  it('is the same for everybody in a /64, and another one for the next', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 5, maxLength: 5 }), (parts) => {
        const [a = 0, b = 0, c = 0, d = 0, e = 0] = parts
        const hex = (...numbers: number[]) => numbers.map((number) => number.toString(16)).join(':')
        // 2000::/3 is what there is of global addresses; below it lie the mapped ones.
        const network = 0x2000 | (a & 0x1fff)
        const one = addressKey(`${hex(network, b, c, d, e)}::`)
        expect(addressKey(`${hex(network, b, c, d)}:0:0:${hex(e)}:1`)).toBe(one)
        expect(addressKey(`${hex(network, b, c, d ^ 1, e)}::`)).not.toBe(one)
      }),
    )
  })
})

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8:1:ffff::', '2001:db8:1::/48'],
    ['2001:db8:2::', '2001:db8:2::/48'],
    ['unknown', 'unknown'],
  ])('of %s is %s', (address, network) => {
    expect(networkKey(addressKey(address))).toBe(network)
  })
})
