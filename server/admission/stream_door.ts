// Admits stream connections. A handshake is charged to its address and refused when no place is free,
// before the connection exists.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Charge, rateLimited } from '../domain/limits/charge.ts'
import type { Log } from '../kernel/log.ts'
import { type Problem, REFUSALS, type Refusal, refuse, retryAfterSeconds } from '../kernel/refusal.ts'
import type { SocketPlace, SocketPlaces } from './places.ts'

export interface StreamDoor {
  /**
   * Returns why the connection may not enter, or undefined when it may. The caller must then call `enter` without an
   * `await` in between, because other connections could take the place.
   */
  readonly judge: (request: IncomingMessage) => Promise<TurnedAway | undefined>
  /** Charges one more attempt on an existing connection. */
  readonly charge: (request: IncomingMessage) => Promise<Charge>
  /** Takes a place for the new connection. */
  readonly enter: (request: IncomingMessage) => SocketPlace
  /** Takes a place for a connection that only hears why it may not stay. */
  readonly hear: () => SocketPlace
  /** Counts and notes a handshake that was refused. */
  readonly refused: (request: IncomingMessage, code: string) => void
}

interface TurnedAway {
  readonly refusal: Refusal
  /** Clients understand an answer of the stream better than one of HTTP, which browsers do not show. */
  readonly mayHear: boolean
}

interface StreamDoorParts {
  readonly addressOf: (request: IncomingMessage) => string
  readonly charge: (address: string) => Promise<Charge> | Charge
  readonly places: SocketPlaces
  readonly onRefused: (refused: { readonly code: string; readonly address: string }) => void
}

/** Told to those who meet a limit. The server cannot know when one of its connections ends. */
const FULL_RETRY_MS = 10_000

export function openStreamDoor({ addressOf, charge, places, onRefused }: StreamDoorParts): StreamDoor {
  const full = (by: 'server' | 'address'): Refusal =>
    refuse(by === 'server' ? 'overloaded' : 'rate_limited', {
      detail:
        by === 'server'
          ? 'this server holds as many connections as it can'
          : 'this address has as many connections as it may',
      meta: { maximum: places.most[by], retry_after_ms: FULL_RETRY_MS },
    })
  return Object.freeze({
    judge: async (request: IncomingMessage) => {
      const address = addressOf(request)
      const charged = await charge(address)
      if (!charged.allowed) return { refusal: rateLimited(charged), mayHear: false }
      const by = places.full(address)
      return by === undefined ? undefined : { refusal: full(by), mayHear: places.mayHear() }
    },
    charge: async (request: IncomingMessage) => charge(addressOf(request)),
    enter: (request: IncomingMessage) => places.enter(addressOf(request)),
    hear: places.hear,
    refused: (request: IncomingMessage, code: string) => onRefused({ code, address: addressOf(request) }),
  })
}

const heard = new WeakSet<Duplex>()

/**
 * Whether the connection enters, or has its answer already. A refusal is returned for a connection that may enter only to
 * hear it. Never rejects.
 * @param stopping checked last, so that no connection starts once the server stops
 */
export async function letIn(
  { door, log, stopping }: { door: StreamDoor; log: Log; stopping: () => boolean },
  request: IncomingMessage,
): Promise<'enters' | 'answered' | Refusal> {
  const { socket } = request
  // Nothing else listens for errors on a socket before its upgrade, and an unhandled 'error'
  // event would end the process.
  if (!heard.has(socket)) socket.on('error', () => undefined)
  heard.add(socket)
  const away = await judged(door, log, request)
  const refusal = stopping() ? refuse('shutting_down') : away?.refusal
  if (refusal === undefined) return 'enters'
  door.refused(request, refusal.code)
  if (refusal === away?.refusal && away.mayHear) return refusal
  refuseHandshake(socket, refusal)
  return 'answered'
}

async function judged(door: StreamDoor, log: Log, request: IncomingMessage): Promise<TurnedAway | undefined> {
  try {
    return await door.judge(request)
  } catch (err) {
    log.error({ err }, 'stream.door_failed')
    return { refusal: refuse('internal'), mayHear: false }
  }
}

/** Sends a complete answer to a refused handshake and ends its connection. */
function refuseHandshake(socket: Duplex, refusal: Refusal): void {
  const { status } = refusal
  const body = JSON.stringify({ errors: refusal.problems.map(entryOf) })
  const wait = refusal.problems.map(retryAfterSeconds)[0]
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...(wait === undefined ? [] : [`Retry-After: ${wait}`]),
    'Access-Control-Allow-Origin: *',
    'Cache-Control: no-store',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

const entryOf = ({ code, detail, meta }: Problem) => ({
  status: String(REFUSALS[code].status),
  code,
  detail,
  meta: meta ?? {},
})
