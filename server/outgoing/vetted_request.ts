// Requests to vetted addresses: one GET, or a conversation with one host.
import type { AddressRanges } from '../kernel/addresses.ts'
import type { ReceivedAnswer } from './answer_reader.ts'
import type { Guard } from './guard.ts'
import { type HeaderList, type LineOptions, letterhead, openLines, requestBytes } from './post_pinned.ts'
import { ReceiverFailure } from './receiver_bounds.ts'

/**
 * @param url https
 * @throws ReceiverFailure or an error of Node when there is no answer, or the signal's reason
 */
export type GetPinned = (
  url: URL,
  options: { readonly headers: HeaderList; readonly signal: AbortSignal },
) => Promise<ReceivedAnswer>

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

export interface Conversation {
  /** @throws ReceiverFailure or an error of Node when there is no answer, or the signal's reason */
  readonly post: (url: URL, body: string, signal: AbortSignal) => Promise<ReceivedAnswer>
  readonly get: (url: URL, signal: AbortSignal) => Promise<ReceivedAnswer>
  readonly close: () => void
}

interface ConverseOptions extends Pick<LineOptions, 'ca'> {
  readonly guard: Guard
  /** Private addresses that may be reached. Only they may be reached without TLS. */
  readonly allow: AddressRanges
}

/** @throws ReceiverFailure when the host may not be reached */
type Converse = (url: URL) => Promise<Conversation>

/** All requests of a conversation go to the host of `url`, at the address that was vetted for it. */
export function conversePinned({ guard, allow, ...options }: ConverseOptions): Converse {
  const openLine = openLines({ ...options, allowsPlain: true })
  return async (url) => {
    const verdict = await guard.vet(url)
    if (verdict.verdict !== 'allowed') throw new ReceiverFailure(`the host is refused: ${verdict.verdict}`)
    const [address] = verdict.addresses
    if (url.protocol !== 'https:' && !allow.has(address))
      throw new ReceiverFailure('the host is refused: only an allowed private address is reached without TLS')
    const line = openLine(url, address)
    const headers = ['accept', '*/*', 'accept-encoding', 'identity', 'user-agent', 'pharos-Log/1.0']
    const check = (to: URL): void => {
      if (to.origin !== url.origin) throw new Error(`${to.origin} is not the host of this conversation`)
    }
    return Object.freeze({
      post: async (to: URL, body: string, signal: AbortSignal) => {
        check(to)
        const type = ['content-type', 'text/plain; charset=utf-8']
        return line.post(requestBytes(letterhead('POST', to, headers), type, body), signal)
      },
      get: async (to: URL, signal: AbortSignal) => {
        check(to)
        return line.post(requestBytes(letterhead('GET', to, headers), []), signal)
      },
      close: line.close,
    })
  }
}
