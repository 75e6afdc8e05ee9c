// The built-in receiver: it takes a delivery within the process, so nothing listens and no byte leaves.
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../../../kernel/log.ts'
import type { ReceivedAnswer } from '../../../outgoing/answer_reader.ts'
import type { Lines } from '../../../outgoing/lines.ts'
import { ReceiverFailure } from '../../../outgoing/receiver_bounds.ts'
import { type ReceiverAnswer, TOKEN } from './receiver_address.ts'
import type { TakeRequest } from './receiver_request.ts'

const SLOW_MS = 5_000

const WORDS = {
  200: 'Received by the built-in receiver.',
  404: 'The built-in receiver has no such address.',
  500: 'The built-in receiver was told to answer 500.',
} as const

/** Takes the place of connections to a receiver. To be asked for addresses of the built-in receiver alone. */
export const builtInReceiver = (take: TakeRequest, log: Log): Pick<Lines, 'to'> =>
  Object.freeze({
    to: (_endpointId: string, url: URL) => ({
      post: async (request: Buffer, signal: AbortSignal) => {
        const token = `${url.pathname}${url.search}`.slice(1)
        if (!TOKEN.test(token)) return answer(404)
        const how = await take({ token, ...partsOf(request) }).catch((err: unknown) => {
          log.warn({ err }, 'receiver.failed')
          throw new ReceiverFailure('the built-in receiver failed')
        })
        return answer(how === undefined ? 404 : await statusOf(how, signal))
      },
    }),
  })

/** @param request as `requestBytes` writes it */
function partsOf(request: Buffer): { method: string; rawHeaders: string[]; body: Buffer } {
  const end = request.indexOf('\r\n\r\n')
  const [first = '', ...lines] = request.toString('latin1', 0, end).split('\r\n')
  const rawHeaders = lines.flatMap((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { method: first.slice(0, first.indexOf(' ')), rawHeaders, body: request.subarray(end + 4) }
}

/** @throws the reason of the signal, which ends a wait */
async function statusOf(how: ReceiverAnswer, signal: AbortSignal): Promise<keyof typeof WORDS> {
  signal.throwIfAborted()
  switch (how) {
    case 'ok':
      return 200
    case 'error':
      return 500
    case 'slow':
      await wait(SLOW_MS, undefined, { signal, ref: false })
      return 200
    case 'never':
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    default:
      return how satisfies never
  }
}

const answer = (status: keyof typeof WORDS): ReceivedAnswer => ({
  status,
  retryAfter: undefined,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.from(WORDS[status]),
  isFlood: false,
})
