// Requests to vetted addresses: one GET, or a conversation with one host.
import type { AddressRanges } from '../kernel/addresses.ts'
import type { ReceivedAnswer } from './answer_reader.ts'
import { ReceiverFailure } from './bounds.ts'
import type { Guard } from './guard.ts'
import { type LineOptions, openLines } from './lines.ts'
import type { HeaderList } from './outgoing_request.ts'

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
    const address = await vettedAddress(guard, url)
    signal.throwIfAborted()
    const line = openLine(url, address)
    try {
      return await line.ask({ method: 'GET', url, headers }, signal)
    } finally {
      line.close()
    }
  }
}

async function vettedAddress(guard: Guard, url: URL): Promise<string> {
  const verdict = await guard.vet(url)
  if (verdict.verdict === 'allowed') return verdict.addresses[0]
  throw new ReceiverFailure(`the host is refused: ${verdict.verdict}`)
}

interface ConverseOptions extends Pick<LineOptions, 'ca'> {
  readonly guard: Guard
  /** Private addresses that may be reached. Only they may be reached without TLS. */
  readonly allow: AddressRanges
}

/** All requests of a conversation go to the host of its address, which is vetted for it. */
export function conversePinned({ guard, allow, ca }: ConverseOptions) {
  const openLine = openLines({ ca, allowsPlain: true })
  /** @throws ReceiverFailure when the host may not be reached */
  return async (conversed: URL) => {
    const address = await vettedAddress(guard, conversed)
    if (conversed.protocol !== 'https:' && !allow.has(address))
      throw new ReceiverFailure('the host is refused: only an allowed private address is reached without TLS')
    const line = openLine(conversed, address)
    /** @throws ReceiverFailure or an error of Node when there is no answer, or the signal's reason */
    const ask = async (url: URL, signal: AbortSignal, body?: string): Promise<ReceivedAnswer> => {
      if (url.origin !== conversed.origin)
        throw new Error(`${url.origin} is not the host of this conversation`)
      const headers = ['accept', '*/*', 'accept-encoding', 'identity', 'user-agent', 'pharos-Log/1.0']
      if (body === undefined) return line.ask({ method: 'GET', url, headers }, signal)
      headers.push('content-type', 'text/plain; charset=utf-8')
      // A witness cosigns the same checkpoint again.
      return line.ask({ method: 'POST', url, headers, body, isRepeatable: true }, signal)
    }
    return Object.freeze({
      post: (url: URL, body: string, signal: AbortSignal) => ask(url, signal, body),
      get: (url: URL, signal: AbortSignal) => ask(url, signal),
      close: () => line.close(),
    })
  }
}

export type Conversation = Awaited<ReturnType<ReturnType<typeof conversePinned>>>
