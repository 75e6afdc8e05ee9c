// One HTTP request to a service that the operator has chosen, bounded in time and in bytes.
import type { ReceivedAnswer } from './answer_reader.ts'
import { type AnswerBounds, ReceiverFailure } from './bounds.ts'
import { keepLines, type Lines, openLines } from './lines.ts'

/** Bytes beyond the body: headers, interim answers, framing and TLS. */
const AROUND_BODY = 65_536

/** Maximum number of pieces: this many, plus one for every BYTES_A_PIECE bytes. */
const MOST_PIECES = 1_000
const BYTES_A_PIECE = 256

interface BoundedRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Milliseconds for the whole exchange, from the first packet to the last byte of the body. */
  readonly timeoutMs: number
  /**
   * Maximum size of the body in bytes. The request fails at the first byte beyond it. All received bytes together may
   * be AROUND_BODY more.
   */
  readonly maxBytes: number
  /** Connections to use instead of those that all share. */
  readonly lines?: Lines
  readonly signal?: AbortSignal
}

/** Any status: 3xx, 4xx and 5xx are answers, not errors. */
export type BoundedResponse = Pick<ReceivedAnswer, 'status' | 'body'>

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
export async function boundedRequest(
  address: string | URL,
  { method = 'GET', headers, body, timeoutMs, maxBytes, lines, signal }: BoundedRequest,
): Promise<BoundedResponse> {
  const url = new URL(address)
  const deadline = AbortSignal.timeout(timeoutMs)
  const fields = Object.entries({ 'accept-encoding': 'identity', ...headers }).flat()
  let answer: ReceivedAnswer
  try {
    answer = await (lines ?? sharedLines())
      .to('', url, undefined)
      .ask(
        { method, url, headers: fields, body },
        signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
        boundsFor(maxBytes),
      )
  } catch (cause) {
    if (cause instanceof ReceiverFailure && cause.isFlood)
      throw new RequestFailed('too_large', `${url.host} sent too much: ${cause.message}`, { cause })
    if (deadline.aborted)
      throw new RequestFailed('timeout', `${url.host} did not answer within ${timeoutMs} ms`, { cause })
    throw new RequestFailed('unreachable', `${url.host} could not be reached`, { cause })
  }
  if (answer.isFlood) throw new RequestFailed('too_large', `${url.host} sent too much around its answer`)
  if (answer.body.length > maxBytes)
    throw new RequestFailed('too_large', `${url.host} sent more than ${maxBytes} bytes`)
  if (deadline.aborted)
    throw new RequestFailed('timeout', `${url.host} did not answer within ${timeoutMs} ms`)
  if (!answer.isWhole) throw new RequestFailed('unreachable', `${url.host} broke off its answer`)
  return answer
}

function boundsFor(maxBytes: number): AnswerBounds {
  const bytes = maxBytes + AROUND_BODY
  return {
    headerBytes: 16_384,
    bodyBytes: maxBytes + 1,
    bytes,
    interim: 10,
    pieces: MOST_PIECES + Math.ceil(bytes / BYTES_A_PIECE),
    wireBytes: bytes,
  }
}

let shared: Lines | undefined

/** Made with the first request, because the certificate authorities are read then. */
function sharedLines(): Lines {
  shared ??= keepLines(openLines({ allowsPlain: true }))
  return shared
}
