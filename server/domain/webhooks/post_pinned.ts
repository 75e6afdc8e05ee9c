// The open connections of one endpoint to one vetted address. They are kept for its next deliveries.
import { pinnedAgent, pinnedConnector, receiverContext } from './connect_pinned.ts'
import { type Answer, exchange, type PinnedRequest, Stale } from './exchange.ts'

/** Never used for another address of the host or for another endpoint. */
export interface Line {
  /** @throws ReceiverFailure or an error of Node when there is no answer, or the signal's reason */
  readonly post: (url: URL, request: PinnedRequest) => Promise<Answer>
  /** Closes all connections, including those in use. */
  readonly close: () => void
}

export type OpenLine = (url: URL, address: string) => Line

export interface LineOptions {
  /** Trusted instead of the system's certificate authorities, for tests. */
  readonly ca?: string
}

/** Milliseconds for which an idle connection is kept. Less when the receiver says so. */
const KEPT_MS = 4_000

/**
 * Uses HTTP/1.1 with TLS verification. Does not follow redirects, use a proxy from the environment, or decompress. A
 * line has one connection per parallel request. A connection on which data arrives without a request is closed.
 */
export function openLines({ ca }: LineOptions = {}): OpenLine {
  const secureContext = receiverContext(ca)
  return (url, address) => {
    const { agent, wireOf, close } = pinnedAgent(pinnedConnector(url, address, secureContext), {
      keepAlive: true,
      timeout: KEPT_MS,
    })
    return {
      post: async (target, request) => {
        try {
          return await exchange(agent, wireOf, target, request)
        } catch (error) {
          if (!(error instanceof Stale)) throw error
          // The other idle connections are probably closed too. Sending twice is safe, because the receiver
          // recognises the repetition by its message id.
          for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy()
          return exchange(agent, wireOf, target, request)
        }
      },
      close,
    }
  }
}
