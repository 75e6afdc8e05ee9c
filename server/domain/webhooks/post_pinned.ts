// A POST to one vetted address: name and certificate are the host's own, but nobody is asked again where it is.
import { isIP } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { buildConnector, type Dispatcher, Pool } from 'undici'
import { canonicalAddress } from '../../kernel/address_key.ts'

/** Milliseconds and bytes of one attempt. */
export const POST_LIMITS = {
  connect: 5_000,
  whole: 15_000,
  headerBytes: 16_384,
  /** Read at most; what is beyond is not waited for. */
  bodyBytes: 65_536,
} as const

/** The answer as far as it came; `body` may be cut short, by us or by the other side. */
export interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: Buffer
}

/** Connections to one host at one address. They are never used for another address of it. */
export interface Line {
  /** @throws whatever undici does when there is no answer; `signal` ends it at any point */
  readonly post: (
    url: URL,
    request: { readonly headers: readonly string[]; readonly body: string; readonly signal: AbortSignal },
  ) => Promise<Answer>
  readonly close: () => Promise<void>
}

export type OpenLine = (url: URL, address: string) => Line

export interface LineOptions {
  /** Trusted instead of the system's certificate authorities: for tests. */
  readonly ca?: string
}

/**
 * HTTP/1.1, TLS verified, no redirect followed, no proxy from the environment, nothing decompressed. A line has as many
 * connections as there are requests at a time: one endpoint that hangs takes none from another on the same host.
 */
export function openLines({ ca }: LineOptions = {}): OpenLine {
  // Made once: reading the authorities anew for every connection costs more than the handshake.
  const secureContext = createSecureContext(ca === undefined ? {} : { ca })
  return (url, address) => {
    const pool = new Pool(url.origin, {
      connect: pinnedTo(address, url, secureContext),
      allowH2: false,
      pipelining: 1,
      maxHeaderSize: POST_LIMITS.headerBytes,
      // The signal of the attempt is earlier than either.
      headersTimeout: 2 * POST_LIMITS.whole,
      bodyTimeout: 2 * POST_LIMITS.whole,
    })
    return {
      post: (target, request) => post(pool, target, request),
      close: () => pool.destroy(),
    }
  }
}

/** A literal needs no look-up, so the address stands in the place of the host; the certificate is checked for the host. */
function pinnedTo(address: string, url: URL, secureContext: SecureContext): buildConnector.connector {
  const connect = buildConnector({
    timeout: POST_LIMITS.connect,
    allowH2: false,
    autoSelectFamily: false,
    secureContext,
    // Said aloud: the environment has a switch that turns the default off.
    rejectUnauthorized: true,
  })
  const name = url.hostname.replace(/\.+$/, '')
  const isLiteral = isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
  return ({ servername: _, ...options }, done) =>
    connect(
      { ...options, hostname: address, host: address, ...(isLiteral ? {} : { servername: name }) },
      (...[error, socket]) => {
        if (error !== null) return done(error, null)
        // Cannot happen; if it ever does, nothing is sent.
        if (canonicalAddress(socket.remoteAddress ?? '') !== canonicalAddress(address)) {
          socket.destroy()
          return done(
            new Error('The connection leads to another address than the one that was vetted.'),
            null,
          )
        }
        done(null, socket)
      },
    )
}

async function post(
  pool: Dispatcher,
  url: URL,
  { headers, body, signal }: Parameters<Line['post']>[1],
): Promise<Answer> {
  const answer = await pool.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'POST',
    headers: [...headers],
    body,
    signal,
  })
  const retryAfter = answer.headers['retry-after']
  return {
    status: answer.statusCode,
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    body: await readSome(answer.body),
  }
}

/** The status is known by now: a body that breaks off or does not end changes nothing about it. */
async function readSome(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of body) {
      parts.push(part)
      size += part.length
      // Leaving the loop destroys the stream, and with it the connection.
      if (size >= POST_LIMITS.bodyBytes) break
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
  return Buffer.concat(parts).subarray(0, POST_LIMITS.bodyBytes)
}
