// Connections to receivers, kept open for the next requests to the same one.
import type { SecureContext } from 'node:tls'
import type { ReceivedAnswer } from './answer_reader.ts'
import { type AnswerBounds, RECEIVER_BOUNDS } from './bounds.ts'
import { type Connect, pinnedConnector, receiverContext } from './connect_pinned.ts'
import { Connection, Stale, type Within } from './connection.ts'
import { type OutgoingRequest, requestBytes } from './outgoing_request.ts'

export interface LineOptions {
  /** Trusted instead of the system's certificate authorities, for tests. */
  readonly ca?: string | undefined
  /** Allows addresses of http, which are then reached without TLS. The caller vets where that may be. */
  readonly allowsPlain?: boolean
}

/**
 * The connections to one origin, at one vetted address: one for each request under way. Never used for another address
 * of the host or for another endpoint.
 */
export class Line {
  readonly #connect: Connect
  readonly #open = new Set<Connection>()
  #isClosed = false

  /** @param address undefined: an operator chose the host, whose name the system resolves */
  constructor(url: URL, address: string | undefined, secureContext: SecureContext) {
    this.#connect = pinnedConnector(url, address, secureContext)
  }

  /**
   * Uses HTTP/1.1 with TLS verification. Does not follow redirects, use a proxy from the environment, or decompress.
   * @throws ReceiverFailure or an error of Node when there is no answer, or the signal's reason
   */
  async ask(
    asked: OutgoingRequest,
    signal: AbortSignal,
    bounds: AnswerBounds = RECEIVER_BOUNDS,
  ): Promise<ReceivedAnswer> {
    const request = requestBytes(asked)
    const within = { bounds, signal }
    const kept = this.#idle()
    if (kept === undefined) return this.#askAnew(request, within)
    try {
      return await kept.ask(request, within)
    } catch (error) {
      const maySendTwice = asked.method === 'GET' || asked.isRepeatable === true
      if (!(error instanceof Stale) || !maySendTwice) throw error
      // The other idle connections are probably closed too.
      for (let one = this.#idle(); one !== undefined; one = this.#idle()) one.close()
      return this.#askAnew(request, within)
    }
  }

  /** Closes all connections, including those in use. */
  close(): void {
    this.#isClosed = true
    for (const one of this.#open) one.close()
  }

  /** The oldest, so that those that are needed less often close. */
  #idle(): Connection | undefined {
    for (const one of this.#open) if (one.isIdle) return one
    return undefined
  }

  async #askAnew(request: Buffer, within: Within): Promise<ReceivedAnswer> {
    const made = new Connection(await this.#connect(within.signal), (closed) => this.#open.delete(closed))
    this.#open.add(made)
    if (this.#isClosed) made.close()
    return made.ask(request, within)
  }
}

export type OpenLine = (url: URL, address: string | undefined) => Line

export function openLines({ ca, allowsPlain = false }: LineOptions = {}): OpenLine {
  const secureContext = receiverContext(ca)
  return (url, address) => {
    if (url.protocol !== 'https:' && !allowsPlain) throw new Error('Only https is allowed here.')
    return new Line(url, address, secureContext)
  }
}

export interface Lines {
  readonly to: (endpointId: string, url: URL, address: string | undefined) => Pick<Line, 'ask'>
  readonly close: () => void
}

/** Lines that are kept. What was not used for the longest makes room, and its connections close when they are idle. */
const MOST = 2_000

/**
 * Lines are separate per endpoint, so that a receiver's data can never be taken for an answer to another account.
 * They are separate per origin and address, so that no request goes to an address that was not vetted.
 */
export function keepLines(openLine: OpenLine): Lines {
  const lines = new Map<string, Line>()
  return Object.freeze({
    to: (endpointId: string, url: URL, address: string | undefined) => {
      const key = `${endpointId} ${url.origin} ${address}`
      const line = lines.get(key) ?? openLine(url, address)
      lines.delete(key)
      lines.set(key, line)
      if (lines.size > MOST) lines.delete(lines.keys().next().value ?? key)
      return line
    },
    close: () => {
      for (const line of lines.values()) line.close()
      lines.clear()
    },
  })
}
