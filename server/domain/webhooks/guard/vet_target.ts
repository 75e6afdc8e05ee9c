// Judges where a request of ours may go: every address the host stands for has to be one that anybody can reach.
import { isIP } from 'node:net'
import { type AddressRanges, isGloballyReachable } from '../../../kernel/address_ranges.ts'
import type { ResolveName } from './resolve_name.ts'

/** `unresolved`: the name has no address, or nobody says. Only `allowed` may be connected to, and only at `addresses`. */
export type Verdict =
  | { readonly verdict: 'allowed'; readonly addresses: readonly [string, ...string[]] }
  | { readonly verdict: 'private_address'; readonly addresses: readonly string[] }
  | { readonly verdict: 'blocked_host' }
  | { readonly verdict: 'unresolved' }

export interface Guard {
  /** Asks the resolver each time: an answer is good for one connection, and for nothing after it. */
  readonly vet: (url: URL) => Promise<Verdict>
  /** The same without asking anybody: undefined for a name that has to be resolved. */
  readonly vetAtOnce: (url: URL) => Verdict | undefined
}

export interface GuardOptions {
  readonly resolve: ResolveName
  /** Addresses that are let through all the same: for tests and local trials. */
  readonly allow: AddressRanges
}

export function createGuard({ resolve, allow }: GuardOptions): Guard {
  const judge = (addresses: readonly string[]): Verdict => {
    const [first, ...rest] = addresses
    if (first === undefined) return { verdict: 'unresolved' }
    const isAllowed = (address: string): boolean => isGloballyReachable(address) || allow.has(address)
    return addresses.every(isAllowed)
      ? { verdict: 'allowed', addresses: [first, ...rest] }
      : { verdict: 'private_address', addresses }
  }
  const vetAtOnce = (url: URL): Verdict | undefined => {
    const host = hostOf(url)
    if (isLocalName(host)) return { verdict: 'blocked_host' }
    return isIP(host) === 0 ? undefined : judge([host])
  }
  return Object.freeze({
    vetAtOnce,
    vet: async (url: URL) => {
      const verdict = vetAtOnce(url)
      if (verdict !== undefined) return verdict
      return judge(await resolve(hostOf(url)).catch(() => []))
    },
  })
}

/** The URL parser has made one spelling of every literal; IPv6 stands in brackets there. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '')

/** RFC 6761: these never leave the machine, whatever a resolver says. */
const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')
