// Bitcoin Core's JSON-RPC over HTTP. Each call returns one bounded answer that a schema has checked.
import { z } from 'zod'
import { parsedJson } from '../../../kernel/json_text.ts'
import { type BoundedResponse, boundedRequest, MeteredAgent } from '../../../outgoing/bounded_request.ts'
import { ChainUnreachable, unreachableWhenFailed } from './chain.ts'

/** Error numbers of Bitcoin Core (`rpc/protocol.h`). */
export const BITCOIN_CODES = {
  notFound: -5,
  notConnected: -9,
  catchingUp: -10,
  refusedByRules: -26,
  alreadyInChain: -27,
  starting: -28,
} as const

export class RpcError extends Error {
  readonly code: number

  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message} (${code})`)
    this.name = 'RpcError'
    this.code = code
  }
}

/** For `catch`: what the node does not have is undefined, and every other error is thrown on. */
export const undefinedWhenUnknown = (error: unknown): undefined => {
  if (error instanceof RpcError && error.code === BITCOIN_CODES.notFound) return undefined
  throw error
}

/** A wallet with many coins needs seconds for a call. A proof has some kilobytes. */
const CALL = { timeoutMs: 10_000, maxBytes: 1_048_576 } as const

/** The node runs but is not ready yet. */
const NOT_NOW: ReadonlySet<number> = new Set([
  BITCOIN_CODES.notConnected,
  BITCOIN_CODES.catchingUp,
  BITCOIN_CODES.starting,
])

/** @param address may contain `user:password@` and the wallet's path. Neither ever appears in a message. */
export function openBitcoinRpc(address: string, bounds: { timeoutMs: number; maxBytes: number } = CALL) {
  const { url, authorization } = takeApart(address)
  const dispatcher = new MeteredAgent({ connections: 4, maxBytes: bounds.maxBytes })
  let calls = 0
  return Object.freeze({
    /**
     * @throws RpcError when the node processed the call and refused it
     * @throws ChainUnreachable when there is no answer or the answer cannot be understood
     */
    call: async <T>(method: string, parameters: readonly unknown[], result: z.ZodType<T>): Promise<T> => {
      calls += 1
      const response = await boundedRequest(url, {
        ...bounds,
        dispatcher,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...authorization },
        body: JSON.stringify({ jsonrpc: '1.0', id: calls, method, params: parameters }),
      }).catch(unreachableWhenFailed)
      const value = readEnvelope(method, response)
      const judged = result.safeParse(value)
      if (judged.success) return judged.data
      throw new ChainUnreachable(`${method}: the node’s answer has another form than expected`, {
        why: 'strange',
      })
    },
    /** Calls in progress fail with ChainUnreachable. */
    close: (): Promise<void> => dispatcher.destroy(),
  })
}

export type BitcoinRpc = ReturnType<typeof openBitcoinRpc>

function takeApart(address: string): { url: URL; authorization: Record<string, string> } {
  const url = new URL(address)
  const { username, password } = url
  url.username = ''
  url.password = ''
  if (username === '' && password === '') return { url, authorization: {} }
  const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)
  return { url, authorization: { authorization: `Basic ${pair.toString('base64')}` } }
}

const ENVELOPE = z.object({
  result: z.unknown(),
  error: z.object({ code: z.number().int(), message: z.string() }).nullish(),
})

/** Older nodes send a refusal with status 500 or 404, newer ones with 200. The body decides. */
function readEnvelope(method: string, { status, body }: BoundedResponse): unknown {
  if (status === 401 || status === 403)
    throw new ChainUnreachable('the node does not accept our credentials', { why: 'credentials' })
  const envelope = ENVELOPE.safeParse(parsedJson(body.toString('utf8')))
  if (!envelope.success)
    throw new ChainUnreachable(`${method}: the node answered ${status} and no JSON-RPC`, { why: 'strange' })
  const { result, error } = envelope.data
  if (error === undefined || error === null) return result
  if (NOT_NOW.has(error.code))
    throw new ChainUnreachable(`${method}: ${error.message} (${error.code})`, { why: 'not_ready' })
  throw new RpcError(method, error.code, error.message)
}
