// The limits of one attempt: its time, and how much of the receiver's data is read; and the words for its failure,
// which never repeat parts of the request.
import { causes, errorCode } from '../kernel/error_code.ts'

/** Milliseconds, bytes and counts per attempt. */
export const RECEIVER_BOUNDS = {
  connect: 5_000,
  whole: 15_000,
  headerBytes: 16_384,
  /** The rest of a longer body is not read. */
  bodyBytes: 65_536,
  /** Maximum number of 1xx answers before the final answer. */
  interim: 10,
  /** Maximum number of pieces in which the answer may arrive, because one byte costs as much as a page. */
  pieces: 1_000,
  /** Encrypted bytes received after the handshake. Limits data that TLS can carry beside the answer. */
  wireBytes: 262_144,
} as const

/** Headers, body, and the bytes between and around them. */
export const ANSWER_BYTES = RECEIVER_BOUNDS.headerBytes + RECEIVER_BOUNDS.bodyBytes

/** Seconds for which an endpoint rests after it exceeded a limit, so that a flood is not paid for again at once. */
export const REST_SECONDS = 5

/** A failure of the receiver, described for the endpoint's owner. */
export class ReceiverFailure extends Error {
  /** True when the receiver exceeded a limit. See REST_SECONDS. */
  readonly isFlood: boolean

  constructor(words: string, isFlood = false) {
    super(words)
    this.name = 'ReceiverFailure'
    this.isFlood = isFlood
  }
}

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
  const found = causes(error).find((one) => /^[A-Z][A-Z0-9_]{0,63}$/.test(errorCode(one) ?? ''))
  return { code: errorCode(found) ?? '', isOurs: found !== undefined && !('syscall' in found) }
}
