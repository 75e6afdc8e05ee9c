// Sends one request and reads its answer on an agent's connection, within the bounds for receivers (RFC 9112).
import type { ClientRequest, IncomingMessage } from 'node:http'
import { type Agent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { ANSWER_BYTES, RECEIVER_BOUNDS, ReceiverFailure } from './receiver_bounds.ts'

/** The answer as far as it was received. `body` may be cut by us or by the receiver. */
export interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly contentType: string | undefined
  readonly body: Buffer
  /** The receiver sent more than the bounds allow, so the endpoint rests for a while. */
  readonly isFlood: boolean
}

export interface PinnedRequest {
  /** Names and values alternately. */
  readonly headers: readonly string[]
  /** Absent in a GET. */
  readonly body?: string
  /** Aborts the exchange at any point. */
  readonly signal: AbortSignal
}

/** The receiver closed an idle connection just as it was used again. There was no answer. */
export class Stale extends Error {}

const { headerBytes, bodyBytes, interim, pieces, wireBytes } = RECEIVER_BOUNDS

/**
 * The status line decides the outcome. After it is known, an error or a cut in the body does not make the call fail.
 * @throws Stale, ReceiverFailure, an error of Node, or the signal's reason
 */
export function exchange(
  agent: Agent,
  wireOf: (socket: Socket) => () => number,
  url: URL,
  { headers, body, signal }: PinnedRequest,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // As bytes, because Node would join a string with the headers and change their encoding.
    const bytes = body === undefined ? undefined : Buffer.from(body)
    const request = httpsRequest({
      agent,
      hostname: url.hostname,
      port: url.port,
      method: bytes === undefined ? 'GET' : 'POST',
      path: `${url.pathname}${url.search}`,
      headers: [
        ...['host', url.host, 'connection', 'keep-alive'],
        ...(bytes === undefined ? [] : ['content-length', String(bytes.length)]),
        ...headers,
      ],
      maxHeaderSize: headerBytes,
      // Explicit, because an environment variable can change the default.
      insecureHTTPParser: false,
      signal,
    })
    let meter: Meter | undefined
    let isAnswered = false
    // Needed until there is an answer, also while the connection is being established, because the request would wait
    // for the connection.
    const abort = (): void => {
      if (!isAnswered) reject(signal.reason)
    }
    const settle = (): void => {
      meter?.stop()
      signal.removeEventListener('abort', abort)
    }
    const tooMuch = (words: string): void => void request.destroy(new ReceiverFailure(words, true))
    request.once('socket', (socket: Socket) => {
      meter = metered(socket, wireOf(socket), tooMuch)
    })
    let hints = 0
    // Counts status 100 too. The event is not emitted for answers that follow in the same piece after the request is
    // destroyed.
    request.on('information', () => {
      hints += 1
      if (hints === interim + 1) tooMuch(`the receiver sent more than ${interim} interim answers`)
    })
    const answered = async (response: IncomingMessage): Promise<void> => {
      isAnswered = true
      const read = await readSome(request, response)
      settle()
      const { 'retry-after': retryAfter, 'content-type': contentType } = response.headers
      resolve({
        status: response.statusCode ?? 0,
        retryAfter,
        contentType,
        body: read,
        isFlood: meter?.isOver() ?? false,
      })
    }
    request.once('response', (response) => void answered(response))
    // The request did not ask for an upgrade. The status is the answer, and the connection is closed.
    request.once('upgrade', (response, socket) => {
      socket.destroy()
      void answered(response)
    })
    request.on('error', (error) => {
      if (isAnswered) return
      const isStale = request.reusedSocket && isHangUp(error) && meter?.bytes() === 0
      settle()
      reject(isStale ? new Stale() : error)
    })
    signal.addEventListener('abort', abort)
    request.end(bytes ?? null)
  })
}

const isHangUp = (error: Error): boolean =>
  'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

interface Meter {
  /** Bytes of the answer so far. */
  readonly bytes: () => number
  readonly isOver: () => boolean
  readonly stop: () => void
}

/**
 * Counts everything that arrives on the connection from now on, and calls `tooMuch` once when a bound is exceeded.
 */
function metered(socket: Socket, wire: () => number, tooMuch: (words: string) => void): Meter {
  const before = wire()
  const count = { bytes: 0, pieces: 0 }
  let isOver = false
  const over = (words: string): void => {
    if (!isOver) tooMuch(words)
    isOver = true
  }
  const look = (): void => {
    if (count.bytes > ANSWER_BYTES) over(`the receiver sent more than ${ANSWER_BYTES} bytes`)
    else if (count.pieces > pieces) over(`the answer came in more than ${pieces} pieces`)
    else if (wire() - before > wireBytes) over(`the receiver sent more than ${wireBytes} bytes of TLS`)
  }
  const take = (piece: Buffer): void => {
    count.bytes += piece.length
    count.pieces += 1
    look()
  }
  // Runs before the parser, so that data beyond the bounds is not parsed.
  socket.prependListener('data', take)
  socket.on('session', look)
  return {
    bytes: () => count.bytes,
    isOver: () => isOver,
    stop: () => {
      socket.removeListener('data', take)
      socket.removeListener('session', look)
    },
  }
}

/**
 * Reads at most the allowed size of the body. A body that breaks off or does not end counts as far as it was
 * received.
 */
function readSome(request: ClientRequest, response: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    let size = 0
    const done = (): void => resolve(Buffer.concat(parts).subarray(0, bodyBytes))
    response.on('data', (part: Buffer) => {
      if (size >= bodyBytes || parts.length >= pieces) return
      parts.push(part)
      size += part.length
      if (size < bodyBytes && parts.length < pieces) return
      done()
      // This also closes the connection.
      request.destroy()
    })
    response.on('error', () => undefined)
    response.once('end', done)
    response.once('close', done)
  })
}
