// Connections of one endpoint to one vetted address, kept open for its next deliveries.
import { Agent } from 'node:https'
import type { Socket } from 'node:net'
import { pinnedConnector, receiverContext } from './connect_pinned.ts'
import { type Answer, exchange, type PinnedRequest, Stale } from './exchange.ts'

/** They are never used for another address of the host, nor by another endpoint. */
export interface Line {
  /** @throws ReceiverFault or whatever Node says when there is no answer, or the signal's reason */
  readonly post: (url: URL, request: PinnedRequest) => Promise<Answer>
  /** Hangs up, also on what is under way. */
  readonly close: () => void
}

export type OpenLine = (url: URL, address: string) => Line

export interface LineOptions {
  /** Trusted instead of the system's certificate authorities: for tests. */
  readonly ca?: string
}

/** Milliseconds that a connection is kept for the next delivery; less when the receiver says so. */
const KEPT_MS = 4_000

/**
 * HTTP/1.1, TLS verified, no redirect followed, no proxy from the environment, nothing decompressed. A line has as many
 * connections as there are requests at a time. One that says something while nobody asks is closed.
 */
export function openLines({ ca }: LineOptions = {}): OpenLine {
  const secureContext = receiverContext(ca)
  return (url, address) => {
    const connector = pinnedConnector(url, address, secureContext)
    const wires = new WeakMap<object, () => number>()
    const agent = new Agent({ keepAlive: true, timeout: KEPT_MS })
    agent.createConnection = (_options, done) => {
      connector.connect().then(
        ({ socket, wireBytes }) => {
          wires.set(socket, wireBytes)
          done?.(null, socket)
        },
        // The type wants a connection beside the error; nobody looks at it.
        (error: Error) => done?.(error, undefined as never),
      )
      return undefined
    }
    const wireOf = (socket: Socket): (() => number) => wires.get(socket) ?? (() => 0)
    return {
      post: async (target, request) => {
        try {
          return await exchange(agent, wireOf, target, request)
        } catch (error) {
          if (!(error instanceof Stale)) throw error
          // Where one was closed while it was idle, others were too. The receiver knows a repetition by its id.
          for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy()
          return exchange(agent, wireOf, target, request)
        }
      },
      close: () => {
        connector.close()
        agent.destroy()
      },
    }
  }
}
