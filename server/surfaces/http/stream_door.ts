// Admits stream connections. A handshake is charged to its address and refused when no place is free,
// before the connection exists.
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Charge, rateLimited } from '../../domain/limits/charge.ts'
import type { Log } from '../../kernel/log.ts'
import { type Problem, REFUSALS, type Refusal, refuse, retryAfterSeconds } from '../../kernel/refusal.ts'
import type { Place, SocketPlaces } from './socket_places.ts'

export interface StreamDoor {
  /**
   * Returns the refusal, or undefined when the connection may enter. The caller must then call `enter` without an
   * `await` in between, because other connections could take the place.
   */
  readonly judge: (request: IncomingMessage) => Promise<Refusal | undefined>
  /** Charges one more attempt on an existing connection. */
  readonly charge: (request: IncomingMessage) => Promise<Charge>
  /** Takes a place for the new connection. */
  readonly enter: (request: IncomingMessage) => Place
}

export interface StreamDoorParts {
  readonly addressOf: (request: IncomingMessage) => string
  readonly charge: (address: string) => Promise<Charge> | Charge
  readonly places: SocketPlaces
}

/** The `Retry-After` for an address at its limit. The server cannot know when one of its connections ends. */
const FULL_RETRY_MS = 10_000

export function openStreamDoor({ addressOf, charge, places }: StreamDoorParts): StreamDoor {
  return Object.freeze({
    judge: async (request: IncomingMessage) => {
      const address = addressOf(request)
      const charged = await charge(address)
      if (!charged.allowed) return rateLimited(charged)
      switch (places.full(address)) {
        case 'server':
          return refuse('overloaded', {
            detail: 'this server holds as many connections as it can',
            meta: { maximum: places.most.server },
          })
        case 'address':
          return refuse('rate_limited', {
            detail: 'this address has as many connections as it may',
            meta: { maximum: places.most.address, retry_after_ms: FULL_RETRY_MS },
          })
        default:
          return undefined
      }
    },
    charge: async (request: IncomingMessage) => charge(addressOf(request)),
    enter: (request: IncomingMessage) => places.enter(addressOf(request)),
  })
}

const heard = new WeakSet<Duplex>()

/**
 * Returns true when the connection may enter. Otherwise it has already sent the answer. Never rejects.
 * @param stopping checked last, so that no connection starts once the server stops
 */
export async function letIn(
  { door, log, stopping }: { door: StreamDoor; log: Log; stopping: () => boolean },
  request: IncomingMessage,
): Promise<boolean> {
  const { socket } = request
  // Nothing else listens for errors on a socket before its upgrade, and an unhandled 'error'
  // event would end the process.
  if (!heard.has(socket)) socket.on('error', () => undefined)
  heard.add(socket)
  let refused: Refusal | undefined
  try {
    refused = (await door.judge(request)) ?? (stopping() ? refuse('shutting_down') : undefined)
  } catch (err) {
    log.error({ err }, 'stream.door_failed')
    refused = refuse('internal')
  }
  if (refused !== undefined) refuseHandshake(socket, refused)
  return refused === undefined
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
