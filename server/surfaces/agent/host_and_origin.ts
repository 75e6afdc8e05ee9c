// Refuses requests that a web page may have been tricked into sending (DNS rebinding), as the protocol demands.
import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '../../kernel/refusal.ts'

/**
 * A page of another site can make a browser send its requests to this server only under the page's own name, which
 * then stands in `Host`. So `Host` must be that of the public origin, or loopback. Every origin may call otherwise,
 * because nothing here depends on cookies: a page needs a token of its own, and CORS lets every page try. Refused are
 * origins that name nobody, and pages without TLS, which anybody on the way could have changed to take the token.
 * @throws foreign_origin
 */
export function checkHostAndOrigin({ host, origin }: IncomingHttpHeaders, base: string): void {
  const own = new URL(base)
  if (host === undefined || !isOwnHost(host, own))
    throw refuse('foreign_origin', {
      detail: 'the Host header names another server',
      meta: { header: 'Host' },
    })
  if (origin !== undefined && !isAcceptable(origin, own))
    throw refuse('foreign_origin', {
      detail: 'the Origin header names nobody, or a page that was not sent over TLS',
      meta: { header: 'Origin' },
    })
}

/** Default ports may be left out. */
function isOwnHost(host: string, own: URL): boolean {
  const named = parse(`${own.protocol}//${host}`)
  // Anything but a host and a port, such as a path or a name and password, is no Host.
  if (named === undefined || named.pathname !== '/' || /[/?#@\\]/.test(host)) return false
  return named.host === own.host || isLoopback(named.hostname)
}

function isAcceptable(origin: string, own: URL): boolean {
  if (origin === own.origin) return true
  const named = parse(origin)
  if (named === undefined || named.host === '') return false
  // Other schemes are those of applications and of extensions, which no name can be rebound to.
  return named.protocol !== 'http:' || isLoopback(named.hostname)
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)
