// Requests to vetted addresses: one GET, or a conversation with one host.
import type { AddressRanges } from '../kernel/addresses.ts'
import type { ReceivedAnswer } from './answer_reader.ts'
import type { Guard } from './guard.ts'
import { type HeaderList, type LineOptions, letterhead, openLines, requestBytes } from './post_pinned.ts'
import { ReceiverFailure } from './receiver_bounds.ts'

/** @throws ReceiverFailure when the host may not be reached */
async function vettedAddress(guard: Guard, url: URL): Promise<string> {
  const verdict = await guard.vet(url)
  if (verdict.verdict !== 'allowed') throw new ReceiverFailure(`the host is refused: ${verdict.verdict}`)
  return verdict.addresses[0]
}

export type GetPinned = ReturnType<typeof getPinned>

/** Each document is read on a connection of its own. */
export function getPinned({ guard, ...options }: LineOptions & { readonly guard: Guard }) {
  const openLine = openLines(options)
  /**
   * @param url https
   * @throws ReceiverFailure or an error of Node when there is no answer, or the signal's reason
   */
  return async (
    url: URL,
    { headers, signal }: { readonly headers: HeaderList; readonly signal: AbortSignal },
  ): Promise<ReceivedAnswer> => {
    const address = await vettedAddress(guard, url)
    signal.throwIfAborted()
    const line = openLine(url, address)
    try {
      return await line.post(requestBytes(letterhead('GET', url, headers), []), signal)
    } finally {
      line.close()
    }
  }
}

interface ConverseOptions extends Pick<LineOptions, 'ca'> {
  readonly guard: Guard
  /** Private addresses that may be reached. Only they may be reached without TLS. */
  readonly allow: AddressRanges
}

/** All requests of a conversation go to the host of `url`, at the address that was vetted for it. */
export function conversePinned({ guard, allow, ...options }: ConverseOptions) {
  const openLine = openLines({ ...options, allowsPlain: true })
  /** @throws ReceiverFailure when the host may not be reached */
  return async (url: URL) => {
    const address = await vettedAddress(guard, url)
    if (url.protocol !== 'https:' && !allow.has(address))
      throw new ReceiverFailure('the host is refused: only an allowed private address is reached without TLS')
    const line = openLine(url, address)
    const headers = ['accept', '*/*', 'accept-encoding', 'identity', 'user-agent', 'pharos-Log/1.0']
    const check = (to: URL): void => {
      if (to.origin !== url.origin) throw new Error(`${to.origin} is not the host of this conversation`)
    }
    return Object.freeze({
      /** @throws ReceiverFailure or an error of Node when there is no answer, or the signal's reason */
      post: async (to: URL, body: string, signal: AbortSignal): Promise<ReceivedAnswer> => {
        check(to)
        const type = ['content-type', 'text/plain; charset=utf-8']
        return line.post(requestBytes(letterhead('POST', to, headers), type, body), signal)
      },
      get: async (to: URL, signal: AbortSignal): Promise<ReceivedAnswer> => {
        check(to)
        return line.post(requestBytes(letterhead('GET', to, headers), []), signal)
      },
      close: line.close,
    })
  }
}
