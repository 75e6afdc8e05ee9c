// Reads one document from a host that somebody named, within the bounds for receivers: only from a vetted public
// address, over verified TLS, without following redirects.
import { pinnedAgent, pinnedConnector, receiverContext } from './connect_pinned.ts'
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
    const { agent, wireOf, close } = pinnedAgent(pinnedConnector(url, verdict.addresses[0], secureContext), {
      maxSockets: 1,
    })
    try {
      return await exchange(agent, wireOf, url, { headers, signal })
    } finally {
      close()
    }
  }
}
