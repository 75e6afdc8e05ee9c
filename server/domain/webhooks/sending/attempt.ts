// Makes one delivery attempt: it vets the target, connects only to a vetted address, sends the stored bytes, and
// reports the result.
import type { Guard } from '../../../outgoing/guard.ts'
import type { Lines } from '../../../outgoing/lines.ts'
import { type Letterhead, letterhead, requestBytes } from '../../../outgoing/post_pinned.ts'
import { describeFailure, ReceiverFailure } from '../../../outgoing/receiver_bounds.ts'
import type { AuthType, CustomHeaders } from '../endpoints/endpoint.ts'
import type { SignMessage } from '../endpoints/signing_keys.ts'
import type { AttemptsUnderWay } from './attempts_under_way.ts'
import type { DueDelivery } from './due_deliveries.ts'
import { type Happening, readRetryAfter } from './outcome.ts'

export interface AttemptTools {
  readonly guard: Guard
  readonly lines: Pick<Lines, 'to'>
  /** The built-in receiver. Absent where the service has none. */
  readonly receiver?: Pick<Lines, 'to'> | undefined
  readonly underWay: AttemptsUnderWay
}

/** Where the built-in receiver is, as the log of attempts tells it. */
const THIS_MACHINE = '127.0.0.1'

/** The server stops. The result of the attempt is unknown, so the delivery stays due as before. */
export class AttemptInterrupted extends Error {}

/** What an attempt sends of a delivery. `attempts` are those before it. */
type Letter = Pick<DueDelivery, 'id' | 'message_id' | 'event_type' | 'payload' | 'attempts'>

/** The target of requests. It contains secrets, so it must never be logged or appear in an error. */
export interface Target {
  readonly endpointId: string
  readonly url: URL
  readonly letterhead: Letterhead
  /** Absent when the endpoint does not sign. */
  readonly sign?: SignMessage | undefined
}

export interface Attempted {
  readonly happening: Happening
  readonly at: Date
  readonly resolvedAddresses: readonly string[]
  /** Null when nothing was sent. */
  readonly address: string | null
  readonly durationMs: number
  /** The first 16 KiB as text. Null when there was no answer. */
  readonly responseBody: string | null
  /** The receiver sent more than the bounds allow, so the endpoint rests for a while. */
  readonly isFlood: boolean
}

export const KEPT_BYTES = 16_384

export const notSent = (happening: Happening, at = new Date()): Attempted => ({
  happening,
  at,
  resolvedAddresses: [],
  address: null,
  durationMs: 0,
  responseBody: null,
  isFlood: false,
})

/** @throws AttemptInterrupted when the server stops */
export async function attempt(
  { guard, lines, receiver, underWay }: AttemptTools,
  { endpointId, url, letterhead, sign }: Target,
  letter: Letter,
): Promise<Attempted> {
  const at = new Date()
  const began = performance.now()
  const ended = (happening: Happening, parts: Partial<Attempted> = {}): Attempted => ({
    ...notSent(happening, at),
    durationMs: Math.round(performance.now() - began),
    ...parts,
  })
  const now = underWay.begin()
  const send = async (
    through: Pick<Lines, 'to'>,
    addresses: readonly [string, ...string[]],
  ): Promise<Attempted> => {
    // Each attempt uses the next address, so that the delivery can succeed when the first address is down.
    const address = addresses[letter.attempts % addresses.length] ?? addresses[0]
    const sent = { resolvedAddresses: addresses, address }
    try {
      const request = requestBytes(letterhead, headersOf(letter, at, sign), letter.payload)
      const answer = await through.to(endpointId, url, address).post(request, now.signal)
      const retryAfterMs = readRetryAfter(answer.retryAfter, Date.now())
      return ended(
        { kind: 'answered', httpStatus: answer.status, retryAfterMs },
        { ...sent, responseBody: textOf(answer.body), isFlood: answer.isFlood },
      )
    } catch (error) {
      if (now.signal.aborted && !now.isLate()) throw new AttemptInterrupted()
      const isFlood = error instanceof ReceiverFailure && error.isFlood
      const happening = { kind: 'unreachable', error: describeFailure(error, now.isLate()) } as const
      return ended(happening, { ...sent, isFlood })
    }
  }
  try {
    const verdict = await guard.vet(url)
    switch (verdict.verdict) {
      case 'blocked_host':
        return ended({ kind: 'blocked', error: 'the host is never called' })
      case 'private_address': {
        const error = 'the host leads to a private or reserved address'
        return ended({ kind: 'blocked', error }, { resolvedAddresses: verdict.addresses })
      }
      case 'unresolved':
        return ended({ kind: 'unreachable', error: 'the host does not resolve' })
      case 'own_receiver':
        return receiver === undefined
          ? ended({ kind: 'blocked', error: 'the host is never called' })
          : await send(receiver, [THIS_MACHINE])
      case 'allowed':
        return await send(lines, verdict.addresses)
      default:
        return verdict satisfies never
    }
  } finally {
    now.end()
  }
}

/** Names and values alternately. */
export const headersOf = (
  letter: Omit<Letter, 'attempts'>,
  at: Date,
  sign: SignMessage | undefined,
): string[] => [
  'webhook-id',
  letter.message_id,
  'x-pharos-event',
  letter.event_type,
  'x-pharos-delivery',
  letter.id,
  'x-pharos-timestamp',
  String(Math.floor(at.getTime() / 1_000)),
  ...(sign?.({ id: letter.message_id, at, payload: letter.payload }) ?? []),
]

/** Of every delivery. */
export const OWN_HEADERS = [
  ['content-type', 'application/json'],
  ['user-agent', 'pharos-Webhook/1.0'],
] as const

/** A header that the endpoint sets itself replaces the default. Values are the bytes of their UTF-8. */
export function letterheadOf(
  url: URL,
  authType: AuthType,
  secret: string | undefined,
  headers: CustomHeaders,
): Letterhead {
  const own = [
    ...OWN_HEADERS,
    ['accept-encoding', 'identity'],
    ...(authType === 'bearer' && secret !== undefined
      ? [['authorization', `Bearer ${secret}`] as const]
      : []),
  ] as const
  const theirs = new Set(headers.map(([name]) => name.toLowerCase()))
  const sent = [...own.filter(([name]) => !theirs.has(name)), ...headers].flatMap(([name, value]) => [
    name,
    Buffer.from(value).toString('latin1'),
  ])
  return letterhead('POST', url, sent)
}

/** A text column of PostgreSQL cannot store U+0000. */
const textOf = (body: Buffer): string =>
  body.subarray(0, KEPT_BYTES).toString('utf8').replaceAll('\0', '\ufffd')
