// The open connections of one endpoint to one vetted address, kept for its next deliveries, and the bytes of a
// request on them (RFC 9112).
import type { ReceivedAnswer } from './answer_reader.ts'
import { pinnedConnector, receiverContext } from './connect_pinned.ts'
import { type Connection, connectionOn, Stale } from './connection.ts'

/** Names and values alternately. Values are bytes, one per character. */
export type HeaderList = readonly string[]

/** The part of a request that is the same for all requests to a target. */
export interface Letterhead {
  readonly text: string
}

/**
 * @param url its path cannot contain white space, because the parser of URLs encodes it
 * @throws an Error when a header would break the request. The owner's headers are checked before they are stored.
 */
export function letterhead(method: 'GET' | 'POST', url: URL, headers: HeaderList): Letterhead {
  const fixed = linesOf(['host', url.host, 'connection', 'keep-alive', ...headers])
  return { text: `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${fixed}` }
}

/** @param body absent in a GET */
export function requestBytes({ text }: Letterhead, headers: HeaderList, body?: string): Buffer {
  const length = body === undefined ? 0 : Buffer.byteLength(body)
  const sized = body === undefined ? '' : `content-length: ${length}\r\n`
  const head = `${text}${linesOf(headers)}${sized}\r\n`
  // One buffer is one record of TLS and one packet, if it is not too large.
  const bytes = Buffer.allocUnsafe(head.length + length)
  bytes.write(head, 'latin1')
  if (body !== undefined) bytes.write(body, head.length)
  return bytes
}

function linesOf(headers: HeaderList): string {
  let lines = ''
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const line = `${headers[at]}: ${headers[at + 1]}`
    if (UNSENDABLE.test(line)) throw new Error('A header would break the request.')
    lines += `${line}\r\n`
  }
  return lines
}

/** Line ends and other control characters, and characters that are no byte. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/

/** Never used for another address of the host or for another endpoint. */
export type Line = ReturnType<OpenLine>

export type OpenLine = ReturnType<typeof openLines>

export interface LineOptions {
  /** Trusted instead of the system's certificate authorities, for tests. */
  readonly ca?: string
  /** Allows addresses of http, which are then reached without TLS. The caller vets where that may be. */
  readonly allowsPlain?: boolean
}

/**
 * Uses HTTP/1.1 with TLS verification. Does not follow redirects, use a proxy from the environment, or decompress. A
 * line has one connection per parallel request. A connection on which data arrives without a request is closed.
 */
export function openLines({ ca, allowsPlain = false }: LineOptions = {}) {
  const secureContext = receiverContext(ca)
  return (url: URL, address: string) => {
    if (url.protocol !== 'https:' && !allowsPlain) throw new Error('Only https is allowed here.')
    const connector = pinnedConnector(url, address, secureContext)
    const all = new Set<Connection>()
    /** The last used one is at the end. */
    const idle: Connection[] = []
    let isOpen = true

    const close = (one: Connection): void => {
      all.delete(one)
      one.close()
    }
    const connect = async (signal: AbortSignal): Promise<Connection> => {
      const made = connectionOn(
        await unlessAborted(connector.connect(), signal, (late) => late.socket.destroy()),
      )
      all.add(made)
      return made
    }
    const takeIdle = (): Connection | undefined => {
      for (let one = idle.pop(); one !== undefined; one = idle.pop()) {
        if (one.keptUntil() > performance.now()) return one
        close(one)
      }
      return undefined
    }
    const ask = async (on: Connection, request: Buffer, signal: AbortSignal): Promise<ReceivedAnswer> => {
      try {
        return await on.ask(request, signal)
      } finally {
        if (isOpen && on.keptUntil() > 0) idle.push(on)
        else close(on)
      }
    }

    return {
      /** @throws ReceiverFailure or an error of Node when there is no answer, or the signal's reason */
      post: async (request: Buffer, signal: AbortSignal): Promise<ReceivedAnswer> => {
        const kept = takeIdle()
        if (kept === undefined) return ask(await connect(signal), request, signal)
        try {
          return await ask(kept, request, signal)
        } catch (error) {
          if (!(error instanceof Stale)) throw error
          // The other idle connections are probably closed too. Sending twice is safe, because the receiver
          // recognises the repetition by its message id.
          for (const one of idle.splice(0)) close(one)
          return ask(await connect(signal), request, signal)
        }
      },
      /** Closes the connections that have been idle for too long. */
      sweep: (): void => {
        const now = performance.now()
        for (const one of idle.splice(0))
          if (one.keptUntil() > now) idle.push(one)
          else close(one)
      },
      /** Closes all connections, including those in use. */
      close: (): void => {
        isOpen = false
        connector.close()
        for (const one of all) close(one)
      },
    }
  }
}

/** Rejects at once when the signal is aborted. Then `drop` gets the result that nobody waits for. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  drop: (result: T) => void,
): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort)
  try {
    return await Promise.race([aborted, work])
  } catch (error) {
    if (signal.aborted) work.then(drop, () => undefined)
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
