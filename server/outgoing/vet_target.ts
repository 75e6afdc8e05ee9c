// Decides whether the service may call a host. Every address of the host must be publicly reachable.
import { isIP } from 'node:net'
import { type AddressRanges, addressRanges, isGloballyReachable } from '../kernel/address_ranges.ts'
import { isOwnReceiver } from './own_receiver.ts'
import type { ResolveName } from './resolve_name.ts'

/**
 * `unresolved` means that the name has no address or the resolver does not answer. Only an `allowed` target may be
 * called, and only at `addresses`. `own_receiver` has no address: only deliveries know what to do with it, and whoever
 * else asks refuses it.
 */
export type Verdict =
  | { readonly verdict: 'allowed'; readonly addresses: readonly [string, ...string[]] }
  | { readonly verdict: 'private_address'; readonly addresses: readonly string[] }
  | { readonly verdict: 'blocked_host' }
  | { readonly verdict: 'unresolved' }
  | { readonly verdict: 'own_receiver' }

export interface Guard {
  /** Asks the resolver on every call, because an answer is valid for one connection only. */
  readonly vet: (url: URL) => Promise<Verdict>
  /** Does the checks that need no resolver. Returns undefined for a name that must be resolved. */
  readonly vetAtOnce: (url: URL) => Verdict | undefined
}

export interface GuardOptions {
  readonly resolve: ResolveName
  /** Addresses that are allowed in any case, for tests and local trials. */
  readonly allow: AddressRanges
  /** Addresses that an operator refuses, whatever is allowed. */
  readonly deny?: AddressRanges | undefined
  /** The service has a receiver of its own. Without one its name is a name like any other. */
  readonly hasReceiver?: boolean
}

/** Public by the registries, and yet a service of the network: Azure's machines reach their host at it. */
const NEVER = addressRanges('168.63.129.16')

export function createGuard({ resolve, allow, deny, hasReceiver = false }: GuardOptions): Guard {
  const judge = (addresses: readonly string[]): Verdict => {
    const [first, ...rest] = addresses
    if (first === undefined) return { verdict: 'unresolved' }
    const isRefused = (address: string): boolean => NEVER.has(address) || deny?.has(address) === true
    const isAllowed = (address: string): boolean =>
      !isRefused(address) && (isGloballyReachable(address) || allow.has(address))
    return addresses.every(isAllowed)
      ? { verdict: 'allowed', addresses: [first, ...rest] }
      : { verdict: 'private_address', addresses }
  }
  const vetAtOnce = (url: URL): Verdict | undefined => {
    if (hasReceiver && isOwnReceiver(url)) return { verdict: 'own_receiver' }
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

/** The URL parser has already made one spelling of every literal. It writes IPv6 in brackets. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.+$/, '')

/** RFC 6761: these names always mean the local machine, even if a resolver answers something else. */
const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')
