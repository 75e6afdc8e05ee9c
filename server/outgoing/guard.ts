// Decides whether the service may call a host, whose name it resolves through the name servers alone. Every address
// of the host must be publicly reachable; our own receiver is known by its name.
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type AddressRanges, addressRanges, isGloballyReachable } from '../kernel/addresses.ts'
import { hasCode } from '../kernel/error_code.ts'

const NAME = 'receiver.pharos.test'

/** Followed by a slash and the token. */
export const RECEIVER_ORIGIN = `https://${NAME}`

/** The exact name, which the URL parser has put into one spelling, at the port of https, without credentials. */
export const isOwnReceiver = ({ protocol, host, username, password }: URL): boolean =>
  protocol === 'https:' && host === NAME && username === '' && password === ''

/**
 * Returns every A and AAAA answer, with aliases followed, or an empty list when there are none.
 * @throws when no server answers in time
 */
export type ResolveName = (host: string) => Promise<readonly string[]>

/** Milliseconds per question to one server, number of questions, and milliseconds in total. */
const TIMES = { question: 1_500, tries: 2, whole: 4_000 } as const

/** These codes mean that there is no such record. After any other code the result is unknown. */
const NO_RECORD = ['ENODATA', 'ENOTFOUND'] as const

/**
 * IPv4 addresses come first, because hosts with both usually answer on both. When one kind of question fails, the
 * answers of the other are still used.
 */
export const resolveName: ResolveName = async (host) => {
  const resolver = new Resolver({ timeout: TIMES.question, tries: TIMES.tries })
  const deadline = setTimeout(() => resolver.cancel(), TIMES.whole)
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const failed = answers.find(
      (answer) => answer.status === 'rejected' && !hasCode(answer.reason, ...NO_RECORD),
    )
    if (addresses.length === 0 && failed?.status === 'rejected') throw failed.reason
    return addresses
  } finally {
    clearTimeout(deadline)
  }
}

/**
 * `unresolved` means that the name has no address or the resolver does not answer. Only an `allowed` target may be
 * called, and only at `addresses`. `own_receiver` has no address: only deliveries know what to do with it, and whoever
 * else asks refuses it.
 */
export type TargetVerdict =
  | { readonly verdict: 'allowed'; readonly addresses: readonly [string, ...string[]] }
  | { readonly verdict: 'private_address'; readonly addresses: readonly string[] }
  | { readonly verdict: 'blocked_host' }
  | { readonly verdict: 'unresolved' }
  | { readonly verdict: 'own_receiver' }

export interface Guard {
  /** Asks the resolver on every call, because an answer is valid for one connection only. */
  readonly vet: (url: URL) => Promise<TargetVerdict>
  /** Does the checks that need no resolver. Returns undefined for a name that must be resolved. */
  readonly vetAtOnce: (url: URL) => TargetVerdict | undefined
}

interface GuardOptions {
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
  const judge = (addresses: readonly string[]): TargetVerdict => {
    const [first, ...rest] = addresses
    if (first === undefined) return { verdict: 'unresolved' }
    const isRefused = (address: string): boolean => NEVER.has(address) || deny?.has(address) === true
    const isAllowed = (address: string): boolean =>
      !isRefused(address) && (isGloballyReachable(address) || allow.has(address))
    return addresses.every(isAllowed)
      ? { verdict: 'allowed', addresses: [first, ...rest] }
      : { verdict: 'private_address', addresses }
  }
  const vetAtOnce = (url: URL): TargetVerdict | undefined => {
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
