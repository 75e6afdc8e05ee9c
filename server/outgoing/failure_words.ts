// Describes a failed request for the endpoint's owner. The text never repeats parts of the request.
import { RECEIVER_BOUNDS, ReceiverFailure } from './receiver_bounds.ts'

/** The codes come from Node and OpenSSL, never from the receiver. */
const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'the connection timed out',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by an authority that is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate cannot be verified: is the chain complete?',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate is signed by an authority that is not trusted here',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is signed by an authority that is not trusted here',
}

/** @param late true when the time for the whole attempt was over */
export function describeFailure(error: unknown, late: boolean): string {
  if (late) return `no answer within ${RECEIVER_BOUNDS.whole / 1_000} s`
  if (error instanceof ReceiverFailure) return error.message
  const { code, isOurs } = codeOf(error)
  // Node uses this code when a connection closed during the handshake. No system call failed.
  if (code === 'ECONNRESET' && isOurs) return 'the connection was closed before it was secure'
  const known = Object.hasOwn(WORDS, code) ? WORDS[code] : undefined
  if (known !== undefined) return known
  if (/^(ERR_SSL|ERR_TLS|EPROTO)/.test(code)) return `TLS failed (${code})`
  return code === '' ? 'the request failed' : `the request failed (${code})`
}

/** The code of the error or of its causes. */
function codeOf(error: unknown): { readonly code: string; readonly isOurs: boolean } {
  for (let next = error, depth = 0; next instanceof Error && depth < 5; next = next.cause, depth += 1)
    if ('code' in next && typeof next.code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(next.code))
      return { code: next.code, isOurs: !('syscall' in next) }
  return { code: '', isOurs: false }
}
