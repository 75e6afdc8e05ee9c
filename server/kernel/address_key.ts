// Network addresses in one spelling, and the part of an address that tells clients apart (RFC 4291, RFC 5952).
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
