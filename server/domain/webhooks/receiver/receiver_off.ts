// Why a service has no built-in receiver: anything that lets others reach the service turns it off.
import type { IncomingHttpHeaders } from 'node:http'
import { isLoopback } from '../../../kernel/addresses.ts'

/** `host`: the server listens beyond this machine. `base_url`: it has a public address. `proxy`: one is in front. */
export type ReceiverOff = 'host' | 'base_url' | 'proxy'

interface Exposure {
  /** The address that the server listens on. */
  readonly host: string
  readonly baseUrl: string | undefined
  readonly trustedProxies: { readonly size: number }
}

/** Undefined when the service may have a receiver. */
export function receiverOff({ host, baseUrl, trustedProxies }: Exposure): ReceiverOff | undefined {
  if (!isLoopback(host)) return 'host'
  if (baseUrl !== undefined && !isLoopback(hostOf(baseUrl))) return 'base_url'
  return trustedProxies.size > 0 ? 'proxy' : undefined
}

/** Proxies say of themselves that they are there, or keep the public name. */
const SIGNS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
] as const

/** Undefined when the request comes from this machine, as far as it shows. */
export function requestOff(headers: IncomingHttpHeaders): ReceiverOff | undefined {
  const isDirect =
    SIGNS.every((name) => headers[name] === undefined) && isLoopback(hostOf(`http://${headers.host}`))
  return isDirect ? undefined : 'proxy'
}

/** Empty for text that is no address. */
const hostOf = (address: string): string => URL.parse(address)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? ''
