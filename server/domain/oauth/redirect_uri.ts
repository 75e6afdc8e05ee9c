// Which redirect addresses a client may register (RFC 8252 sections 7 and 8, OAuth 2.1 section 2.3). Whether a request
// names a registered one is decided by exact comparison, except for the port of a loopback address.

/** Of one address, how many a client may have, and of all together. */
export const REDIRECT_URI = { bytes: 2_048, count: 20, bytesInAll: 8_192 } as const

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Schemes that run code, read files or lead nowhere, beside those that are judged by their host. */
const REFUSED_SCHEMES: ReadonlySet<string> = new Set([
  'javascript:',
  'vbscript:',
  'data:',
  'blob:',
  'file:',
  'filesystem:',
  'about:',
  'view-source:',
  'ws:',
  'wss:',
  'ftp:',
  'mailto:',
  'tel:',
  'sms:',
  'intent:',
  'urn:',
])

/** A private scheme is written in lower case (RFC 3986 section 3.1), and belongs to an application. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+.-]*:$/

const HAS_HOST = /^https?:$/

/** Visible ASCII without what URL parsers remove, turn round or read differently. */
const PLAIN = /^[\x21-\x7e]+$/

/** Returns why the address cannot be registered, or undefined when it can. */
export function refusedRedirect(uri: string): string | undefined {
  if (uri.length > REDIRECT_URI.bytes) return `is longer than ${REDIRECT_URI.bytes} characters`
  const url = PLAIN.test(uri) && !/[\\<>"`{}|^]/.test(uri) ? URL.parse(uri) : null
  if (url === null) return 'is not an absolute address of visible ASCII characters'
  if (uri.includes('#')) return 'has a fragment'
  if (url.username !== '' || url.password !== '' || authorityOf(uri).includes('@'))
    return 'has a user name or password'
  if (HAS_HOST.test(url.protocol) && authorityOf(uri) === '') return 'has no host after two slashes'
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:')
    return isLoopbackRedirect(uri) ? undefined : 'is http, which is for loopback addresses'
  if (REFUSED_SCHEMES.has(url.protocol)) return `has the scheme ${url.protocol.slice(0, -1)}`
  return PRIVATE_SCHEME.test(uri.slice(0, url.protocol.length)) ? undefined : 'has a scheme in upper case'
}

const authorityOf = (uri: string): string => /^[^:]*:\/\/([^/?]*)/.exec(uri)?.[1] ?? ''

/** A program on the person's own computer listens there. */
export function isLoopbackRedirect(uri: string): boolean {
  const url = URL.parse(uri)
  return url !== null && url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname)
}

/** Any program of the person's computer could have taken the address, so who asks is not known. */
export const isUnverified = (uri: string): boolean => URL.parse(uri)?.protocol !== 'https:'

/** The part of the address that a person can judge: its host, or its private scheme. */
export function redirectHost(uri: string): string {
  const url = new URL(uri)
  return HAS_HOST.test(url.protocol) ? url.host : url.protocol.slice(0, -1)
}
