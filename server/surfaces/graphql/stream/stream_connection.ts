// One connection of the GraphQL stream: its caller, its durations and ceilings, and the ways to end it.
import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import type { SocketPlace } from '../../../admission/places.ts'
import type { Caller } from '../../../domain/accounts/caller.ts'
import type { Refusal } from '../../../kernel/refusal.ts'

export const STREAM_TIMING = {
  /** Time for a connection to send its init message; after that it is closed. */
  init: 10_000,
  /** Interval between pings. A peer that misses one is cut off at the next. */
  ping: 25_000,
  /** Interval between checks of expiry and unsent data. */
  sweep: 1_000,
  /** Interval between checks for revoked credentials. Their connections end within 60 s. */
  credentials: 30_000,
  /** Time from a notice about accounts to the check. Notices that arrive meanwhile share it. */
  credentialsNotice: 1_000,
  /** Time for a peer to answer a close; after that it is cut off. */
  ending: 1_000,
} as const

export type StreamTiming = { readonly [name in keyof typeof STREAM_TIMING]: number }

export const STREAM_LIMITS = {
  /** Bytes of one message from a client. */
  message_bytes: 65_536,
  /** Messages of one client between two sweeps. */
  messages: 100,
  /** Concurrent operations of one client. */
  operations: 20,
  /** Unsent bytes that may wait for a slow client. */
  unsent_bytes: 1_048_576,
} as const

/** Close codes of graphql-transport-ws and RFC 6455. */
export const CLOSE = {
  goingAway: 1001,
  tryAgainLater: 1013,
  internal: 4500,
  forbidden: 4403,
  tooManyRequests: 4429,
} as const

export interface StreamConnection {
  readonly socket: WebSocket
  readonly request: IncomingMessage
  readonly place: SocketPlace
  readonly openedAt: number
  caller: Caller | undefined
  /** The time when the credential ends, on the monotonic clock. */
  endsAt: number
  /** The team requested in the connection's init message. */
  tenant: string | undefined
  /** Messages since the last sweep. */
  messages: number
  /** True when the peer has answered the last ping. */
  answers: boolean
}

export const newConnection = (
  socket: WebSocket,
  request: IncomingMessage,
  place: SocketPlace,
): StreamConnection => ({
  socket,
  request,
  place,
  openedAt: performance.now(),
  caller: undefined,
  endsAt: Number.POSITIVE_INFINITY,
  tenant: undefined,
  messages: 0,
  answers: true,
})

/** Bytes of a reason (RFC 6455 section 5.5.1). */
const REASON_BYTES = 123

/** Closes with a closing handshake. A peer that does not answer in time is cut off. */
export function endConnection(
  { socket }: Pick<StreamConnection, 'socket'>,
  code: number,
  why: string,
  timing: StreamTiming,
): void {
  socket.close(code, shortened(why))
  setTimeout(() => socket.terminate(), timing.ending).unref()
}

/** A reason that repeats a client's own words can be too long. `stream` leaves out a character that was cut in two. */
const shortened = (why: string): string =>
  new TextDecoder().decode(Buffer.from(why).subarray(0, REASON_BYTES), { stream: true })

/**
 * Closes a connection that may not stay, and names the code and what is missing. Where waiting helps, the close code is
 * one after which graphql-ws tries again: after 4429 it never does.
 */
export function refuseConnection(
  connection: Pick<StreamConnection, 'socket'>,
  { code, status, problems: [problem] }: Refusal,
  timing: StreamTiming,
): void {
  const isForNow = status === 503 || status === 429 || code === 'plan_limit'
  const close = isForNow ? CLOSE.tryAgainLater : CLOSE.forbidden
  endConnection(connection, close, `${code}: ${problem?.detail}`, timing)
}

/**
 * Sends the text. A peer with too much unsent data is cut off at once, because a closing handshake
 * would wait behind that data.
 */
export function sendTo({ socket }: StreamConnection, text: string): Promise<void> {
  if (socket.bufferedAmount > STREAM_LIMITS.unsent_bytes) socket.terminate()
  if (socket.readyState !== socket.OPEN) return Promise.resolve()
  // Resolves in any case, because the close event reports a lost connection.
  return new Promise((resolve) => socket.send(text, () => resolve()))
}

/** Checks the expiry of the credential, the unsent data and the number of messages. */
export function sweepConnection(connection: StreamConnection, timing: StreamTiming): void {
  const { socket, endsAt, messages } = connection
  connection.messages = 0
  if (socket.bufferedAmount > STREAM_LIMITS.unsent_bytes) socket.terminate()
  else if (messages > STREAM_LIMITS.messages)
    endConnection(connection, CLOSE.tooManyRequests, 'Too many messages', timing)
  else if (endsAt <= performance.now())
    endConnection(connection, CLOSE.forbidden, 'The credential has expired', timing)
}

/** Sends a ping. A peer that has not answered the previous ping is cut off. */
export function pingConnection(connection: StreamConnection): void {
  if (!connection.answers) connection.socket.terminate()
  connection.answers = false
  if (connection.socket.readyState === connection.socket.OPEN) connection.socket.ping()
}
