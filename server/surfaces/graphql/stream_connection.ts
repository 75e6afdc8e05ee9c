// One connection of the GraphQL stream: who it belongs to once it was let in, and the ways it ends.
import type { IncomingMessage } from 'node:http'
import type { WebSocket } from 'ws'
import type { Caller } from '../../domain/accounts/caller.ts'
import type { Place } from '../http/socket_places.ts'
import { CLOSE, STREAM_LIMITS, type StreamTiming } from './stream_limits.ts'

export interface StreamConnection {
  readonly socket: WebSocket
  readonly request: IncomingMessage
  readonly place: Place
  caller: Caller | undefined
  /** Asked for when it was let in. */
  tenant: string | undefined
  /** Since the last sweep. */
  messages: number
  /** It answered the last ping. */
  answers: boolean
}

export const newConnection = (
  socket: WebSocket,
  request: IncomingMessage,
  place: Place,
): StreamConnection => ({
  socket,
  request,
  place,
  caller: undefined,
  tenant: undefined,
  messages: 0,
  answers: true,
})

/** Closes in good order; a peer that does not answer is cut off. */
export function endConnection(
  { socket }: StreamConnection,
  code: number,
  why: string,
  timing: StreamTiming,
): void {
  socket.close(code, why)
  setTimeout(() => socket.terminate(), timing.ending).unref()
}

/** Sends when the peer still reads. A closing handshake would wait behind everything unsent, so it is cut off at once. */
export function sendTo({ socket }: StreamConnection, text: string): Promise<void> {
  if (socket.bufferedAmount > STREAM_LIMITS.unsent_bytes) socket.terminate()
  if (socket.readyState !== socket.OPEN) return Promise.resolve()
  // Settles when the bytes were handed on, whatever became of them: the end of the connection is told elsewhere.
  return new Promise((resolve) => socket.send(text, () => resolve()))
}

/** What the clock says about it: its credential, what it leaves unread, how much it sends. */
export function sweepConnection(connection: StreamConnection, timing: StreamTiming): void {
  const { socket, caller, messages } = connection
  connection.messages = 0
  const expiresAt = caller?.credential.expiresAt ?? null
  if (socket.bufferedAmount > STREAM_LIMITS.unsent_bytes) socket.terminate()
  else if (messages > STREAM_LIMITS.messages)
    endConnection(connection, CLOSE.tooManyRequests, 'Too many messages', timing)
  else if (expiresAt !== null && expiresAt <= Date.now())
    endConnection(connection, CLOSE.forbidden, 'The credential has expired', timing)
}

/** Asks whether it is still there; a peer that did not answer the time before is cut off. */
export function pingConnection(connection: StreamConnection): void {
  if (!connection.answers) connection.socket.terminate()
  connection.answers = false
  if (connection.socket.readyState === connection.socket.OPEN) connection.socket.ping()
}
