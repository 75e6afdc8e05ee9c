// Places: connections of the server and of each address, and sockets of each address and account. The door of the
// streams charges a handshake to its address, and refuses it when no place is free, before the connection exists.
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { PLANS, type Plan } from '../domain/accounts/plan.ts'
import { type Charge, rateLimited } from '../domain/limits/charge.ts'
import { type AddressRanges, addressKey, canonicalAddress } from '../kernel/addresses.ts'
import type { Ceilings } from '../kernel/ceilings.ts'
import { Tally } from '../kernel/flow/tally.ts'
import type { Log } from '../kernel/log.ts'
import { type Problem, REFUSALS, type Refusal, refuse, retryAfterSeconds } from '../kernel/refusal.ts'
import { NO_ADDRESS } from './client_address.ts'

export interface SocketPlace {
  /**
   * Assigns the place to an account after authentication. Returns false when the account's plan
   * allows no more connections.
   */
  readonly claim: (userId: string, plan: Plan) => boolean
  readonly leave: () => void
}

/** Connections that are told at once why they may not stay. Each ends within seconds. */
const MOST_HEARING = 50

export function socketPlaces(most: { readonly server: number; readonly address: number }) {
  let taken = 0
  let hearing = 0
  const byAddress = new Tally()
  const byAccount = new Tally()
  return Object.freeze({
    most,
    /** Whether one more connection beyond the limits may enter, only to be told so. */
    mayHear: () => hearing < MOST_HEARING,
    /** Counts such a connection. The caller must call `leave` when it ends. */
    hear: (): SocketPlace => {
      let left = false
      hearing += 1
      return Object.freeze({
        claim: () => false,
        leave: () => {
          if (!left) hearing -= 1
          left = true
        },
      })
    },
    /** Returns the limit that is reached, or undefined when one more connection may enter. */
    full: (address: string): 'server' | 'address' | undefined => {
      if (taken >= most.server) return 'server'
      return byAddress.of(address) >= most.address ? 'address' : undefined
    },
    /** Counts a new connection. The caller must call `leave` when it ends. */
    enter: (address: string): SocketPlace => {
      let account: string | undefined
      let left = false
      taken += 1
      byAddress.add(address, 1)
      return Object.freeze({
        claim: (userId: string, plan: Plan) => {
          if (left || account === userId) return account === userId
          if (byAccount.of(userId) >= PLANS[plan].sockets) return false
          if (account !== undefined) byAccount.add(account, -1)
          account = userId
          byAccount.add(userId, 1)
          return true
        },
        leave: () => {
          if (left) return
          left = true
          taken -= 1
          byAddress.add(address, -1)
          if (account !== undefined) byAccount.add(account, -1)
        },
      })
    },
  })
}

export function boundConnections(
  server: Server,
  {
    ceilings,
    trusted,
    onRefused,
  }: {
    readonly ceilings: Pick<Ceilings, 'connections' | 'connections_per_address'>
    /** Proxies. Their connections are not counted, because they carry those of many clients. */
    readonly trusted: AddressRanges
    /** Told of each connection that was closed because it was one too many. */
    readonly onRefused: (refused: { readonly of: 'server' | 'address'; readonly address: string }) => void
  },
): void {
  server.maxConnections = ceilings.connections
  server.on('drop', (dropped) => onRefused({ of: 'server', address: dropped?.remoteAddress ?? NO_ADDRESS }))
  const counts = new Tally()
  server.on('connection', (socket: Socket) => {
    const address = canonicalAddress(socket.remoteAddress ?? '') ?? NO_ADDRESS
    if (trusted.has(address)) return
    const key = addressKey(address)
    const count = counts.add(key, 1)
    socket.once('close', () => counts.add(key, -1))
    if (count <= ceilings.connections_per_address) return
    onRefused({ of: 'address', address: key })
    socket.destroy()
  })
}

/** Told to those who meet a limit. The server cannot know when one of its connections ends. */
const FULL_RETRY_MS = 10_000

export type StreamDoor = ReturnType<typeof openStreamDoor>

export function openStreamDoor({
  addressOf,
  charge,
  places,
  log,
  onRefused,
}: {
  readonly addressOf: (request: IncomingMessage) => string
  readonly charge: (address: string) => Promise<Charge> | Charge
  readonly places: ReturnType<typeof socketPlaces>
  readonly log: Log
  readonly onRefused: (refused: { readonly code: string; readonly address: string }) => void
}) {
  const heard = new WeakSet<Duplex>()
  const full = (by: 'server' | 'address'): Refusal =>
    refuse(by === 'server' ? 'overloaded' : 'rate_limited', {
      detail:
        by === 'server'
          ? 'this server holds as many connections as it can'
          : 'this address has as many connections as it may',
      meta: { maximum: places.most[by], retry_after_ms: FULL_RETRY_MS },
    })
  /**
   * Undefined when the connection may enter. Clients understand an answer of the stream better than one of HTTP, which
   * browsers do not show, so some may enter only to hear the refusal.
   */
  const judge = async (
    request: IncomingMessage,
  ): Promise<{ readonly refusal: Refusal; readonly mayHear: boolean } | undefined> => {
    try {
      const address = addressOf(request)
      const charged = await charge(address)
      if (!charged.allowed) return { refusal: rateLimited(charged), mayHear: false }
      const by = places.full(address)
      return by === undefined ? undefined : { refusal: full(by), mayHear: places.mayHear() }
    } catch (err) {
      log.error({ err }, 'stream.door_failed')
      return { refusal: refuse('internal'), mayHear: false }
    }
  }
  /** Counts and notes a handshake that was refused. */
  const refused = (request: IncomingMessage, code: string): void =>
    onRefused({ code, address: addressOf(request) })
  return Object.freeze({
    /**
     * Whether the connection enters, or has its answer already. A refusal is returned for a connection that may enter
     * only to hear it. The caller must then call `enter` or `hear` without an `await` in between, because other
     * connections could take the place. Never rejects.
     * @param stopping checked last, so that no connection starts once the server stops
     */
    letIn: async (
      request: IncomingMessage,
      stopping: () => boolean,
    ): Promise<'enters' | 'answered' | Refusal> => {
      const { socket } = request
      // Nothing else listens for errors on a socket before its upgrade, and an unhandled 'error' event would end the
      // process.
      if (!heard.has(socket)) socket.on('error', () => undefined)
      heard.add(socket)
      const away = await judge(request)
      const refusal = stopping() ? refuse('shutting_down') : away?.refusal
      if (refusal === undefined) return 'enters'
      refused(request, refusal.code)
      if (refusal === away?.refusal && away.mayHear) return refusal
      refuseHandshake(socket, refusal)
      return 'answered'
    },
    /** Charges one more attempt on an existing connection. */
    charge: async (request: IncomingMessage) => charge(addressOf(request)),
    /** Takes a place for the new connection. */
    enter: (request: IncomingMessage) => places.enter(addressOf(request)),
    /** Takes a place for a connection that only hears why it may not stay. */
    hear: places.hear,
    refused,
  })
}

/** Sends a complete answer to a refused handshake and ends its connection. */
function refuseHandshake(socket: Duplex, { status, problems }: Refusal): void {
  const [first] = problems
  const wait = first === undefined ? undefined : retryAfterSeconds(first)
  const headers = {
    ...(wait === undefined ? {} : { 'Retry-After': String(wait) }),
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json',
  }
  endWithAnswer(socket, status, headers, JSON.stringify({ errors: problems.map(entryOf) }))
}

/** Sends a complete answer of HTTP on a connection that no route answers, and ends it (RFC 9112 section 9.6). */
export function endWithAnswer(
  socket: Duplex,
  status: number,
  headers: Readonly<Record<string, string>>,
  body = '',
): void {
  const fields = { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
}

const entryOf = ({ code, detail, meta }: Problem) => ({
  status: String(REFUSALS[code].status),
  code,
  detail,
  meta: meta ?? {},
})
