// What Engine.IO does not say aloud about a connection: how much is unsent, when it has drained, how to cut it off.
import { EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import type { Socket as StreamSocket } from 'socket.io'

export type EngineConnection = StreamSocket['conn']

/** WebSocket.CLOSED */
const WS_CLOSED = 3

export interface UnsentMeter {
  /** Bytes that wait in Engine.IO, in ws and in the socket below it. What the kernel holds is not seen. */
  readonly bytes: () => number
  readonly close: () => void
}

/**
 * Counts what is queued from the two events that Engine.IO emits around its buffer, and calls `onMore` when something
 * was queued behind data that has not left yet.
 */
export function meterUnsent(connection: EngineConnection, onMore: () => void): UnsentMeter {
  let queued = 0
  const created = (packet: { data?: unknown }): void => {
    queued += sizeOf(packet.data)
    if (!connection.transport.writable) onMore()
  }
  const flushed = (): void => {
    queued = 0
  }
  connection.on('packetCreate', created)
  connection.on('flush', flushed)
  return Object.freeze({
    bytes: () => queued + bufferedBytes(connection),
    close: () => {
      connection.off('packetCreate', created)
      connection.off('flush', flushed)
    },
  })
}

/** Control frames of WebSocket are no packets, and Engine.IO never hears of them; each ping is answered all the same. */
export function onControlFrame(connection: EngineConnection, heard: () => void): void {
  const listen = (): void => {
    const socket = webSocketOf(connection)
    if (!(socket instanceof EventEmitter)) return
    socket.on('ping', heard)
    socket.on('pong', heard)
  }
  listen()
  connection.once('upgrade', listen)
}

/**
 * Settles when everything sent so far has been taken: by the kernel on WebSocket, by the client's next poll on polling.
 * Both are the moment in which the transport is writable: Engine.IO flushes its own buffer before anybody else hears of
 * it. False when the connection is gone.
 */
export async function drained(connection: EngineConnection): Promise<boolean> {
  for (;;) {
    if (connection.readyState !== 'open') return false
    if (connection.transport.writable) return true
    await new Promise<void>((resolve) => {
      const { transport } = connection
      const wake = (): void => {
        transport.off('ready', wake)
        connection.off('upgrade', wake)
        connection.off('close', wake)
        resolve()
      }
      transport.on('ready', wake)
      connection.on('upgrade', wake)
      connection.on('close', wake)
    })
  }
}

/** Ends the transport in good order, without a word of Socket.IO: clients take it for a lost connection and reconnect. */
export const hangUp = (connection: EngineConnection): void => {
  connection.close(true)
}

/** True when the socket below has ended too; a WebSocket waits for the peer's closing frame after ours. */
export function isGone(connection: EngineConnection): boolean {
  const socket = webSocketOf(connection)
  return (
    connection.readyState === 'closed' &&
    (socket === undefined || Reflect.get(socket, 'readyState') === WS_CLOSED)
  )
}

/** Ends the connection now. A closing handshake would wait behind everything unsent, for a peer that may never read. */
export function cutOff(connection: EngineConnection): void {
  const socket = webSocketOf(connection)
  const terminate: unknown = socket === undefined ? undefined : Reflect.get(socket, 'terminate')
  connection.close(true)
  if (typeof terminate === 'function') terminate.call(socket)
  // An orderly end that was begun on polling waits half a minute for the next poll, which may never come.
  const { transport } = connection
  const conclude: unknown =
    connection.readyState === 'closing' ? Reflect.get(transport, 'shouldClose') : undefined
  if (typeof conclude === 'function') conclude.call(transport)
}

function bufferedBytes(connection: EngineConnection): number {
  const socket = webSocketOf(connection)
  const buffered: unknown = socket === undefined ? 0 : Reflect.get(socket, 'bufferedAmount')
  return typeof buffered === 'number' ? buffered : 0
}

/** The ws socket of a WebSocket transport; polling has none. */
function webSocketOf({ transport }: EngineConnection): object | undefined {
  const socket: unknown = Reflect.get(transport, 'socket')
  return typeof socket === 'object' && socket !== null ? socket : undefined
}

const sizeOf = (data: unknown): number =>
  typeof data === 'string' ? Buffer.byteLength(data) : ArrayBuffer.isView(data) ? data.byteLength : 0

/** A message of Engine.IO, and the bytes of its WebSocket frame. */
export interface Frame {
  readonly packet: string
  readonly webSocket: readonly Buffer[]
}

/**
 * Sends many as one: what is given to the kernel in one go costs a tenth of what each alone does. In the order of all
 * that is sent on this connection, and queued when this returns; settles with the milliseconds of this thread that it
 * took, as far as the other side let it go out at once.
 */
export async function writeAll(connection: EngineConnection, frames: readonly Frame[]): Promise<number> {
  let took = 0
  let began = 0
  let tcp: unknown
  const begin = (): void => {
    const socket = webSocketOf(connection)
    tcp = socket === undefined ? undefined : Reflect.get(socket, '_socket')
    if (tcp instanceof Socket) tcp.cork()
    began = performance.now()
  }
  const end = (): void => {
    if (tcp instanceof Socket) tcp.uncork()
    took += performance.now() - began
  }
  // Engine.IO says so right before and right after it hands its buffer to the transport.
  connection.on('flush', begin)
  connection.on('drain', end)
  const started = performance.now()
  for (const { packet, webSocket } of frames) {
    const options = { compress: false, wsPreEncodedFrame: webSocket }
    connection.write(packet, options)
  }
  const queued = performance.now() - started - took
  // The first goes out alone, the rest once the kernel has it: before the next turn of the loop, or not soon.
  await new Promise((resolve) => setImmediate(resolve))
  connection.off('flush', begin)
  connection.off('drain', end)
  return took + queued
}
