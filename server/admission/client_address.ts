// Finds the client's network address: the socket's, or the one that trusted proxies wrote into X-Forwarded-For.
import { type AddressRanges, canonicalAddress } from '../kernel/addresses.ts'

/** The parts of a request that are read. Node's IncomingMessage has them. */
interface AddressedRequest {
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
 * @param trusted the addresses of proxies
 */
export function clientAddress(trusted: AddressRanges): ClientAddress {
  return ({ headers, socket }) => {
    let address = canonicalAddress(socket.remoteAddress ?? '') ?? NO_ADDRESS
    if (!trusted.has(address)) return address
    const header = headers['x-forwarded-for'] ?? ''
    const text = typeof header === 'string' ? header : header.join(',')
    for (let end = text.length; end >= 0; ) {
      const comma = end === 0 ? -1 : text.lastIndexOf(',', end - 1)
      const entry = forwardedAddress(text.slice(comma + 1, end).trim())
      if (entry === undefined) return address
      address = entry
      if (!trusted.has(address)) return address
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
