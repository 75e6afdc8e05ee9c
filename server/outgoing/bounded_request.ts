// One HTTP request to another service, bounded in time and size. Redirects are not followed. Proxy settings of the
// environment are ignored.
import { request } from 'undici'
import { MeteredAgent, TooMuchOnTheWire } from './metered_agent.ts'

export interface BoundedRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Milliseconds for the whole exchange, from the first packet to the last byte of the body. */
  readonly timeoutMs: number
  /**
   * Maximum size of the body in bytes. The request fails at the first byte beyond it. All received bytes together may
   * be AROUND_BODY more.
   */
  readonly maxBytes: number
  /** Connections to use instead of a private agent. Their ceiling then applies to all received bytes. */
  readonly dispatcher?: MeteredAgent
  readonly signal?: AbortSignal
}

export interface BoundedResponse {
  /** Any status: 3xx, 4xx and 5xx are answers, not errors. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** `unreachable`: the name, connection or protocol failed, or the answer was incomplete. */
export type RequestFailure = 'timeout' | 'too_large' | 'unreachable'

export class RequestFailed extends Error {
  readonly reason: RequestFailure

  constructor(reason: RequestFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'RequestFailed'
    this.reason = reason
  }
}

/** @throws RequestFailed when there is no complete answer within the bounds */
export async function boundedRequest(url: string | URL, bounds: BoundedRequest): Promise<BoundedResponse> {
  const { timeoutMs, maxBytes, signal } = bounds
  const deadline = AbortSignal.timeout(timeoutMs)
  const chatter = new AbortController()
  const signals = [deadline, chatter.signal, ...(signal === undefined ? [] : [signal])]
  const host = new URL(url).host
  let interim = 0
  try {
    const answer = await request(url, {
      method: bounds.method ?? 'GET',
      // A compressed body could exceed the ceiling only after decompression.
      headers: { 'accept-encoding': 'identity', ...bounds.headers },
      body: bounds.body ?? null,
      signal: AbortSignal.any(signals),
      // Interim answers have no ceiling of their own, and thousands of them fit below the byte ceiling.
      onInfo: () => {
        interim += 1
        if (interim > MOST_INTERIM) chatter.abort()
      },
      dispatcher: bounds.dispatcher ?? sharedAgent(maxBytes),
    })
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: await readUpTo(answer.body, maxBytes, host),
    }
  } catch (error) {
    if (error instanceof RequestFailed) throw error
    if (chatter.signal.aborted)
      throw new RequestFailed('too_large', `${host} sent more than ${MOST_INTERIM} interim answers`, {
        cause: error,
      })
    if (error instanceof TooMuchOnTheWire)
      throw new RequestFailed('too_large', `${host} sent ${error.message}`, { cause: error })
    if (deadline.aborted)
      throw new RequestFailed('timeout', `${host} did not answer within ${timeoutMs} ms`, { cause: error })
    throw new RequestFailed('unreachable', `${host} could not be reached`, { cause: error })
  }
}

/** One agent per ceiling. The number of ceilings is the number of callers in the code. */
const agents = new Map<number, MeteredAgent>()

function sharedAgent(maxBytes: number): MeteredAgent {
  const agent = agents.get(maxBytes) ?? new MeteredAgent({ maxBytes })
  agents.set(maxBytes, agent)
  return agent
}

/** Answers with status 1xx before the final answer. */
const MOST_INTERIM = 10

async function readUpTo(body: AsyncIterable<Buffer>, maxBytes: number, host: string): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    // Leaving the loop destroys the stream and its connection.
    if (size > maxBytes) throw new RequestFailed('too_large', `${host} sent more than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
