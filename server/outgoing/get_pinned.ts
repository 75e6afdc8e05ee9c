// Reads one document from a host that somebody named, within the bounds for receivers: only from a vetted public
// address, over verified TLS, without following redirects.
import type { Answer } from './answer_reader.ts'
import { type LineOptions, openLines } from './post_pinned.ts'
import { ReceiverFailure } from './receiver_bounds.ts'
import { type HeaderList, letterhead, requestBytes } from './request_bytes.ts'
import type { Guard } from './vet_target.ts'

/**
 * @param url https
 * @throws ReceiverFailure or an error of Node when there is no answer, or the signal's reason
 */
export type GetPinned = (
  url: URL,
  options: { readonly headers: HeaderList; readonly signal: AbortSignal },
) => Promise<Answer>

/** Each document is read on a connection of its own. */
export function getPinned({ guard, ...options }: LineOptions & { readonly guard: Guard }): GetPinned {
  const openLine = openLines(options)
  return async (url, { headers, signal }) => {
    const verdict = await guard.vet(url)
    if (verdict.verdict !== 'allowed') throw new ReceiverFailure(`the host is refused: ${verdict.verdict}`)
    signal.throwIfAborted()
    const line = openLine(url, verdict.addresses[0])
    try {
      return await line.post(requestBytes(letterhead('GET', url, headers), []), signal)
    } finally {
      line.close()
    }
  }
}
