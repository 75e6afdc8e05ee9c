// Reads one document from a host that somebody named, within the bounds for receivers: only from a vetted public
// address, over verified TLS, without following redirects.
import { Agent } from 'node:https'
import type { Socket } from 'node:net'
import { pinnedConnector, receiverContext } from './connect_pinned.ts'
import { type Answer, exchange } from './exchange.ts'
import type { Guard } from './guard/vet_target.ts'
import type { LineOptions } from './post_pinned.ts'
import { ReceiverFailure } from './receiver_bounds.ts'

/**
 * @param url https
 * @throws ReceiverFailure or an error of Node when there is no answer, or the signal's reason
 */
export type GetPinned = (
  url: URL,
  options: { readonly headers: readonly string[]; readonly signal: AbortSignal },
) => Promise<Answer>

/** Each document is read on a connection of its own. */
export function getPinned({ guard, ca }: LineOptions & { readonly guard: Guard }): GetPinned {
  const secureContext = receiverContext(ca)
  return async (url, { headers, signal }) => {
    const verdict = await guard.vet(url)
    if (verdict.verdict !== 'allowed') throw new ReceiverFailure(`the host is refused: ${verdict.verdict}`)
    signal.throwIfAborted()
    const connector = pinnedConnector(url, verdict.addresses[0], secureContext)
    const wires = new WeakMap<object, () => number>()
    const agent = new Agent({ maxSockets: 1 })
    agent.createConnection = (_options, done) => {
      connector.connect().then(
        ({ socket, wireBytes }) => {
          wires.set(socket, wireBytes)
          done?.(null, socket)
        },
        // The type requires a connection beside the error. It is not used.
        (error: Error) => done?.(error, undefined as never),
      )
      return undefined
    }
    try {
      return await exchange(agent, (socket: Socket) => wires.get(socket) ?? (() => 0), url, {
        headers,
        signal,
      })
    } finally {
      connector.close()
      agent.destroy()
    }
  }
}
