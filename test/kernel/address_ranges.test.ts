// Which addresses count as reachable by anybody, against the same registries read another way.
import { isIPv4 } from 'node:net'
import { describe, expect, it } from 'vitest'
import { addressRanges, isGloballyReachable } from '../../server/kernel/addresses.ts'
import { REGISTRIES, textOf } from './special_addresses.ts'

/** A row of the registry by its first and last address, as numbers; the narrowest one that holds an address decides. */
interface Row {
  readonly first: bigint
  readonly last: bigint
  readonly reachable: boolean
}

/** The narrowest first. */
const rowsOf = (bits: 32 | 128): Row[] =>
  REGISTRIES[bits]
    .toSorted(([, length], [, other]) => other - length)
    .map(([first, length, reachable]) => ({
      first,
      last: first + 2n ** BigInt(bits - length) - 1n,
      reachable,
    }))

const ROWS = { 32: rowsOf(32), 128: rowsOf(128) }

function expected(bits: 32 | 128, value: bigint): boolean {
  if (bits === 128 && value >> 32n === 0x64ff9bn << 64n) return expected(32, value % 2n ** 32n)
  // Outside 2000::/3 nothing is reached, whatever a narrower row of the registry says of it.
  if (bits === 128 && value >> 125n !== 1n) return false
  return ROWS[bits].find(({ first, last }) => first <= value && value <= last)?.reachable ?? bits === 32
}

describe.each([32, 128] as const)('addresses of %i bits', (bits) => {
  it('are judged like the registry at every edge: first, last, the one before and the one after', () => {
    const wrong: string[] = []
    const end = 2n ** BigInt(bits)
    for (const { first, last } of ROWS[bits])
      for (const value of [first - 1n, first, first + 1n, last - 1n, last, last + 1n])
        if (value >= 0n && value < end && isGloballyReachable(textOf(bits, value)) !== expected(bits, value))
          wrong.push(textOf(bits, value))
    expect(wrong).toEqual([])
  })

  it('are judged like the registry, a hundred thousand at random', () => {
    const wrong: string[] = []
    for (let n = 0; n < RANDOM; n += 1) {
      const value = randomAddress(bits, n)
      if (isGloballyReachable(textOf(bits, value)) !== expected(bits, value)) wrong.push(textOf(bits, value))
    }
    expect(wrong).toEqual([])
  })
})

const RANDOM = 100_000

/** A third anywhere, a third near an edge, a third with an IPv4 address inside. */
function randomAddress(bits: 32 | 128, n: number): bigint {
  const random = (most: bigint): bigint => BigInt(Math.floor(Math.random() * 2 ** 52)) ** 3n % most
  const whole = 2n ** BigInt(bits)
  if (n % 3 === 0) return random(whole)
  const row = ROWS[bits][n % ROWS[bits].length]
  if (n % 3 === 1 && row !== undefined)
    return (row.first + random(row.last - row.first + 1n + 64n) - 32n + whole) % whole
  if (bits === 32) return random(whole)
  const prefixes = [0n, 0xffffn, 0x64ff9bn << 64n, 0x64ff9b0001n << 56n, 0x2002n << 80n, 0x20010000n << 64n]
  return ((prefixes[n % prefixes.length] ?? 0n) << 32n) | random(2n ** 32n)
}

describe('IPv6 outside 2000::/3 is refused in every form, but for what NAT64 leads to a public address:', () => {
  it.each([
    ['::ffff:8.8.8.8', false],
    ['::ffff:0:8.8.8.8', false],
    ['::ffff:7f00:1', false],
    ['::ffff:a9fe:a9fe', false],
    ['::8.8.8.8', false],
    ['::127.0.0.1', false],
    ['64:ff9b::8.8.8.8', true],
    ['64:ff9b::10.0.0.1', false],
    ['64:ff9b::127.0.0.1', false],
    ['64:ff9b::169.254.169.254', false],
    ['64:ff9b::1:8.8.8.8', false],
    ['64:ff9b:1::8.8.8.8', false],
    ['2002:0808:0808::1', false],
    ['2001:0:0808:0808::1', false],
    ['::1', false],
    ['::', false],
    ['2606:4700:4700::1111', true],
    ['4000::1', false],
    ['fe80::1%eth0', false],
    ['2606:4700::1%eth0', false],
  ])('%s: %s', (address, reachable) => {
    expect(isGloballyReachable(address)).toBe(reachable)
  })
})

it.each(['', 'example.com', '0x7f.1', '127.1', '[::1]', '1.2.3.4.5', '8.8.8.8 '])(
  '%j is no address, and refused',
  (text) => {
    expect(isGloballyReachable(text)).toBe(false)
  },
)

describe('a list of ranges', () => {
  it('holds what lies in one of them, in either family, and mapped addresses as what they are', () => {
    const ranges = addressRanges('127.0.0.0/8, 10.1.2.3 fd00::/8')
    for (const address of ['127.0.0.1', '127.255.255.255', '10.1.2.3', 'fd12::1', '::ffff:127.0.0.1'])
      expect(ranges.has(address)).toBe(true)
    for (const address of ['128.0.0.0', '10.1.2.4', 'fe00::1', '::1', 'localhost'])
      expect(ranges.has(address)).toBe(false)
    expect(addressRanges('').has('127.0.0.1')).toBe(false)
  })

  it.each([
    ['::1/128', '::1', true],
    ['::1', '0:0::0001', true],
    ['::1/128', '::2', false],
    ['::1/128', '0.0.0.1', false],
    ['0.0.0.0/8', '::1', true],
    ['::ffff:0:0/96', '::ffff:127.0.0.1', true],
    ['64:ff9b::/96', '64:ff9b::10.0.0.1', true],
    ['10.0.0.0/8', '64:ff9b::10.0.0.1', true],
    ['::/128', '::', true],
    ['::ffff:10.0.0.0/104', '10.255.0.1', true],
    ['::ffff:10.0.0.0/104', '11.0.0.1', false],
    ['::/0', '10.0.0.1', false],
  ])('%s, and whether %s lies in it, by its own family and by what is inside: %s', (list, address, isIn) => {
    expect(addressRanges(list).has(address)).toBe(isIn)
  })

  it.each([
    '127.0.0.1/33',
    '::1/129',
    'x',
    '1.2.3.4/',
    '1.2.3.4/8/8',
    '1.2.3.4/-1',
    'fe80::1%eth0',
    '10/8',
    '::ffff:10.0.0.0/8',
  ])('%s is none', (text) => {
    expect(() => addressRanges(text)).toThrow(RangeError)
  })

  it('agrees with itself about its own bounds', () => {
    expect(isIPv4(textOf(32, 0n))).toBe(true)
    expect(addressRanges('10.0.0.77/8').has('10.255.255.255')).toBe(true)
  })
})
