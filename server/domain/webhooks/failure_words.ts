// Why there was no answer, in words that an owner can act on; nothing of the request is repeated in them.
import { POST_LIMITS } from './post_pinned.ts'

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: `no connection within ${POST_LIMITS.connect / 1_000} s`,
  UND_ERR_CONNECT_TIMEOUT: `no connection within ${POST_LIMITS.connect / 1_000} s`,
  UND_ERR_SOCKET: 'the connection was closed without an answer',
  UND_ERR_HEADERS_OVERFLOW: 'the answer has too large headers',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate cannot be verified',
}

/** @param late the time for the whole attempt was over */
export function describeFailure(error: unknown, late: boolean): string {
  if (late) return `no answer within ${POST_LIMITS.whole / 1_000} s`
  const code = codeOf(error)
  const known = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined
  if (known !== undefined) return known
  if (code.startsWith('HPE_')) return 'the answer is no HTTP'
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code)) return 'TLS failed'
  return code === '' ? 'the request failed' : `the request failed (${code})`
}

/** Of the error or what caused it. Codes are words of Node, OpenSSL and undici, never of the other side. */
function codeOf(error: unknown): string {
  for (let next = error, depth = 0; next instanceof Error && depth < 5; next = next.cause, depth += 1)
    if ('code' in next && typeof next.code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(next.code))
      return next.code
  return ''
}
