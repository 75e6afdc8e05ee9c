// Finds the client's network address: the socket's, or the one that trusted proxies wrote into X-Forwarded-For.
import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { canonicalAddress } from '../../kernel/address_key.ts'

/** The parts of a request that are read. Node's IncomingMessage has them. */
export interface AddressedRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly socket: { readonly remoteAddress?: string | undefined }
}

export type ClientAddress = (request: AddressedRequest) => string

/** A socket without an address: it was closed, or it is a Unix socket. All of them count as one client. */
export const NO_ADDRESS = 'unknown'

/**
 * Reads X-Forwarded-For from right to left. Each entry was written by the host to its right, so it counts only
 * while that host is trusted. An entry that is not an address ends the walk at the proxy that sent it, and
 * entries to its left are ignored.
 * @param trusted CIDR blocks or single addresses, as `trustedProxies` returns them
 */
export function clientAddress(trusted: readonly AddressBlock[]): ClientAddress {
  return ({ headers, socket }) => {
    let address = canonicalAddress(socket.remoteAddress ?? '') ?? NO_ADDRESS
    if (trusted.length === 0 || !isTrusted(address, trusted)) return address
    const header = headers['x-forwarded-for'] ?? ''
    const text = typeof header === 'string' ? header : header.join(',')
    for (let end = text.length; end >= 0; ) {
      const comma = end === 0 ? -1 : text.lastIndexOf(',', end - 1)
      const entry = forwardedAddress(text.slice(comma + 1, end).trim())
      if (entry === undefined) return address
      address = entry
      if (!isTrusted(address, trusted)) return address
      end = comma
    }
    return address
  }
}

/** Some proxies append the port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/

function forwardedAddress(entry: string): string | undefined {
  const [, bracketed, dotted] = WITH_PORT.exec(entry) ?? []
  return canonicalAddress(bracketed ?? dotted ?? entry)
}

export type AddressBlock = readonly [network: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/**
 * Reads blocks and addresses separated by commas or spaces: `10.0.0.0/8, 2001:db8::/32, 192.0.2.1`.
 * @throws RangeError that names the entry which is neither
 */
export const trustedProxies = (text: string): readonly AddressBlock[] =>
  text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map(readBlock)

function readBlock(entry: string): AddressBlock {
  const wrong = new RangeError(`${entry} is no address and no CIDR block`)
  const [network = '', given, ...rest] = entry.split('/')
  const canonical = canonicalAddress(network)
  if (canonical === undefined || rest.length > 0 || network.includes('%')) throw wrong
  const address = ipaddr.parse(canonical)
  const written = network.includes(':') ? 128 : 32
  const bits = given === undefined ? written : /^\d{1,3}$/.test(given) ? Number(given) : Number.NaN
  // An IPv4-mapped IPv6 block becomes the IPv4 block it maps to. Its first 96 bits are the mapping's prefix.
  const kept = isIPv4(canonical) && written === 128 ? bits - 96 : bits
  if (!(kept >= 0 && bits <= written)) throw wrong
  return [address, kept]
}

/** True when the address lies in one of the blocks. A socket without an address is never trusted. */
export function isTrusted(address: string, trusted: readonly AddressBlock[]): boolean {
  if (address === NO_ADDRESS) return false
  const parsed = ipaddr.parse(address)
  return trusted.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits))
}
