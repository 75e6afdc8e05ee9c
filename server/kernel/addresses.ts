// Network addresses in one spelling, the part of an address that tells clients apart (RFC 4291, RFC 5952), and ranges of addresses.
import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** 45 characters is the longest address; a zone id may follow it. */
const LONGEST = 100

/**
 * IPv4 in dotted decimals. IPv6 in its short lower-case form without a zone. An IPv4-mapped IPv6 address becomes its
 * IPv4 address. Returns undefined for other text, also for old spellings of IPv4 (`0x7f.1`, `010.0.0.1`).
 */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  if (text.length > LONGEST) return undefined
  const zone = text.indexOf('%')
  const bare = zone === -1 ? text : text.slice(0, zone)
  if (!isIPv6(bare)) return undefined
  const address = ipaddr.IPv6.parse(bare)
  return address.isIPv4MappedAddress() ? address.toIPv4Address().toString() : address.toString()
}

/**
 * `203.0.113.7`, or `2001:db8:1:2::/64`. An IPv6 client usually holds its whole /64, so the /64 is the key. Text that
 * is no address is its own key.
 */
export function addressKey(address: string): string {
  const canonical = canonicalAddress(address)
  if (canonical === undefined || isIPv4(canonical)) return canonical ?? address.slice(0, LONGEST)
  const network = ipaddr.IPv6.parse(canonical).parts.slice(0, 4)
  return `${network.map((part) => part.toString(16)).join(':')}::/64`
}

/**
 * `203.0.113.7`, or `2001:db8:1::/48`: the /48 of an address key. Whoever has one /64 gets 65,536 of them for nothing, so
 * where many addresses together do harm, their /48 is the one who does it.
 */
export const networkKey = (key: string): string =>
  key.endsWith('::/64') ? `${key.split(':').slice(0, 3).join(':')}::/48` : key

/** True for a host that only this machine reaches. */
export function isLoopback(host: string): boolean {
  const address = canonicalAddress(host)
  return host === 'localhost' || address === '::1' || address?.startsWith('127.') === true
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Addresses of one family whose first bits are those of the base: so many as the prefix is long. */
type Range = [base: Address, prefix: number]

/**
 * IANA's special-purpose address registries for IPv4 and IPv6, as of 2025-10-09. Addresses that the registries mark
 * as false or leave undecided (deprecated, or Teredo and 6to4, which hide another address) are refused. A narrower
 * row wins over a wider row. A mistake here allows requests into private networks: check changes against the
 * registries.
 */
const SPECIAL: readonly (readonly [range: string, reachable: boolean, meaning: string])[] = [
  ['0.0.0.0/8', false, 'this network'],
  ['10.0.0.0/8', false, 'private use'],
  ['100.64.0.0/10', false, 'shared between carriers'],
  ['127.0.0.0/8', false, 'loopback'],
  ['169.254.0.0/16', false, 'link local'],
  ['172.16.0.0/12', false, 'private use'],
  ['192.0.0.0/24', false, 'IETF protocol assignments'],
  ['192.0.0.9/32', true, 'Port Control Protocol anycast'],
  ['192.0.0.10/32', true, 'TURN anycast'],
  ['192.0.2.0/24', false, 'documentation'],
  ['192.31.196.0/24', true, 'AS112'],
  ['192.52.193.0/24', true, 'AMT'],
  ['192.88.99.0/24', false, 'relays of 6to4, deprecated'],
  ['192.168.0.0/16', false, 'private use'],
  ['192.175.48.0/24', true, 'AS112'],
  ['198.18.0.0/15', false, 'benchmarking'],
  ['198.51.100.0/24', false, 'documentation'],
  ['203.0.113.0/24', false, 'documentation'],
  ['224.0.0.0/4', false, 'multicast'],
  ['240.0.0.0/4', false, 'reserved, and the broadcast address'],
  ['::/0', false, 'not assigned for global unicast'],
  ['2000::/3', true, 'global unicast'],
  ['2001::/23', false, 'IETF protocol assignments, Teredo among them'],
  ['2001:1::1/128', true, 'Port Control Protocol anycast'],
  ['2001:1::2/128', true, 'TURN anycast'],
  ['2001:1::3/128', true, 'DNS-SD registration anycast'],
  ['2001:3::/32', true, 'AMT'],
  ['2001:4:112::/48', true, 'AS112'],
  ['2001:20::/28', true, 'ORCHIDv2'],
  ['2001:30::/28', true, 'drone remote ids'],
  ['2001:db8::/32', false, 'documentation'],
  ['2002::/16', false, '6to4'],
  ['2620:4f:8000::/48', true, 'AS112'],
  ['3fff::/20', false, 'documentation'],
]

/** RFC 6052: packets go to the IPv4 address in the last 32 bits, so that address is judged. */
const TRANSLATED = readRange('64:ff9b::/96')

/** Also accepts mapped and compatible addresses, which lists of ranges judge by the IPv4 address they contain. */
const EMBEDDING = [TRANSLATED, ...['::ffff:0:0/96', '::/96'].map(readRange)]

/** The narrowest of a family first. */
const TABLE = SPECIAL.map(([range, reachable]) => ({ range: readRange(range), reachable })).sort(
  (one, other) => other.range[1] - one.range[1],
)

/** A list of ranges that can be tested for an address. */
export type AddressRanges = ReturnType<typeof addressRanges>

/**
 * Returns true for a globally reachable unicast address. IPv6 outside 2000::/3 is not reachable, including mapped and
 * compatible IPv4 addresses. Addresses with the NAT64 prefix are judged by the IPv4 address in them.
 * @param address in a form that `net.isIP` accepts. Old spellings of IPv4 must be resolved by a URL parser first.
 */
export function isGloballyReachable(address: string): boolean {
  const written = readAddress(address)
  if (written === undefined) return false
  const read = covers(TRANSLATED, written) ? lastBits(written) : written
  return TABLE.find(({ range }) => covers(range, read))?.reachable ?? true
}

/**
 * CIDR blocks separated by commas or white space. A bare address is a block of one address. An IPv6 address that
 * contains an IPv4 address belongs to the blocks of both families. `::1` is always IPv6 loopback, never 0.0.0.1.
 * @throws RangeError that names the invalid entry
 */
export function addressRanges(text: string) {
  const ranges = text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(readBlock)
  return Object.freeze({
    size: ranges.length,
    has: (address: string): boolean => {
      // Every request asks, and most servers have no list.
      if (ranges.length === 0) return false
      const written = readAddress(address)
      if (written === undefined) return false
      const embedded = embeddedIn(written)
      return ranges.some(
        (range) => covers(range, written) || (embedded !== undefined && covers(range, embedded)),
      )
    },
  })
}

/** The address as written. Returns undefined for text that is no address, and for an address with a zone. */
function readAddress(text: string): Address | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text)
  return text.includes('%') || !isIPv6(text) ? undefined : ipaddr.IPv6.parse(text)
}

/** The IPv4 address inside an IPv6 address. Returns undefined when there is none. */
const embeddedIn = (address: Address): Address | undefined =>
  EMBEDDING.some((range) => covers(range, address)) ? lastBits(address) : undefined

function lastBits(address: Address): Address {
  return new ipaddr.IPv4(address.toByteArray().slice(-4))
}

function readRange(text: string): Range {
  const [written = '', length, ...rest] = text.split('/')
  const base = readAddress(written)
  const most = base?.kind() === 'ipv4' ? 32 : 128
  const prefix = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : undefined
  if (base === undefined || prefix === undefined || prefix > most || rest.length > 0)
    throw new RangeError(`${text} is no CIDR block`)
  return [base, prefix]
}

/** A block of IPv4-mapped addresses is the IPv4 block that it maps to. */
function readBlock(text: string): Range {
  const [base, prefix] = readRange(text)
  if (!('isIPv4MappedAddress' in base && base.isIPv4MappedAddress())) return [base, prefix]
  if (prefix < 96) throw new RangeError(`${text} is no CIDR block`)
  return [base.toIPv4Address(), prefix - 96]
}

const covers = (range: Range, address: Address): boolean =>
  address.kind() === range[0].kind() && address.match(range)
