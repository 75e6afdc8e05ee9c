// One request and its answer on a connection of an agent, read no further than a receiver's bounds go (RFC 9112).
import type { ClientRequest, IncomingMessage } from 'node:http'
import { type Agent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { ANSWER_BYTES, RECEIVER_BOUNDS, ReceiverFault } from './receiver_bounds.ts'

/** The answer as far as it came; `body` may be cut short, by us or by the other side. */
export interface Answer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: Buffer
  /** It sent so much around its answer that it is left alone for a while. */
  readonly isFlood: boolean
}

export interface PinnedRequest {
  /** Names and values in turn. */
  readonly headers: readonly string[]
  readonly body: string
  /** Ends it at any point. */
  readonly signal: AbortSignal
}

/** The other side closed a connection that had been idle just as it was used again: nothing was answered. */
export class Stale extends Error {}

const { headerBytes, bodyBytes, interim, pieces, wireBytes } = RECEIVER_BOUNDS

/**
 * The status line decides: once it is known, whatever breaks off or is cut off afterwards changes nothing about it.
 * @throws Stale, ReceiverFault, what Node says, or the signal's reason
 */
export function exchange(
  agent: Agent,
  wireOf: (socket: Socket) => () => number,
  url: URL,
  { headers, body, signal }: PinnedRequest,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // As bytes: a text would be put into one piece with the headers, and change their encoding.
    const bytes = Buffer.from(body)
    const request = httpsRequest({
      agent,
      hostname: url.hostname,
      port: url.port,
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: [
        ...['host', url.host, 'connection', 'keep-alive', 'content-length', String(bytes.length)],
        ...headers,
      ],
      maxHeaderSize: headerBytes,
      // Said aloud: the environment has a switch that loosens the default.
      insecureHTTPParser: false,
      signal,
    })
    let meter: Meter | undefined
    let isAnswered = false
    // Before there is an answer; also while there is no connection yet, which the request itself would wait for.
    const abort = (): void => {
      if (!isAnswered) reject(signal.reason)
    }
    const settle = (): void => {
      meter?.stop()
      signal.removeEventListener('abort', abort)
    }
    const tooMuch = (words: string): void => void request.destroy(new ReceiverFault(words, true))
    request.once('socket', (socket: Socket) => {
      meter = metered(socket, wireOf(socket), tooMuch)
    })
    let hints = 0
    // 100 among them; of those that follow in the same piece nobody hears any more.
    request.on('information', () => {
      hints += 1
      if (hints === interim + 1) tooMuch(`the receiver sent more than ${interim} interim answers`)
    })
    const answered = async (response: IncomingMessage): Promise<void> => {
      isAnswered = true
      const read = await readSome(request, response)
      settle()
      const retryAfter = response.headers['retry-after']
      resolve({
        status: response.statusCode ?? 0,
        retryAfter,
        body: read,
        isFlood: meter?.isOver() ?? false,
      })
    }
    request.once('response', (response) => void answered(response))
    // Nobody asked for another protocol: its status is the answer, and there is nothing more to say to it.
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
    request.end(bytes)
  })
}

const isHangUp = (error: Error): boolean =>
  'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')

interface Meter {
  /** Of the answer, so far. */
  readonly bytes: () => number
  readonly isOver: () => boolean
  readonly stop: () => void
}

/** Counts what comes on a connection from now on, in whatever form, and tells once when it is too much. */
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
  // Before the parser: what is too much is not looked at.
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

/** As much of the body as is kept or read: a body that breaks off or does not end is as long as it is by then. */
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
      // And with it the connection.
      request.destroy()
    })
    response.on('error', () => undefined)
    response.once('end', done)
    response.once('close', done)
  })
}
