// Operations that Engine.IO does not offer on a connection: measuring unsent data, waiting
// until it drains, cutting off.
import { Socket } from 'node:net'
import type { Socket as StreamSocket } from 'socket.io'
import { WebSocket } from 'ws'

export type EngineConnection = StreamSocket['conn']

/**
 * Counts queued bytes with the two events that Engine.IO emits around its buffer. Calls `onMore` when data is queued
 * while earlier data is still unsent.
 */
export function meterUnsent(connection: EngineConnection, onMore: () => void) {
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
    /** Unsent bytes in Engine.IO, in ws and in the socket below. Bytes in the kernel are not counted. */
    bytes: () => queued + (webSocketOf(connection)?.bufferedAmount ?? 0),
    close: () => {
      connection.off('packetCreate', created)
      connection.off('flush', flushed)
    },
  })
}

/**
 * Calls `heard` for WebSocket control frames. Engine.IO does not report them, but each ping
 * is answered and costs work.
 */
export function onControlFrame(connection: EngineConnection, heard: () => void): void {
  const listen = () => webSocketOf(connection)?.on('ping', heard).on('pong', heard)
  listen()
  connection.once('upgrade', listen)
}

/**
 * Resolves with true when everything sent so far was taken: by the kernel on WebSocket, by the client's next poll on
 * polling. In both cases the transport is writable then, because Engine.IO flushes its own buffer before other
 * listeners run. Resolves with false when the connection has ended.
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

/**
 * Closes the transport properly without a Socket.IO message, so clients treat it as a lost connection and reconnect.
 */
export const hangUp = (connection: EngineConnection): void => {
  connection.close(true)
}

/**
 * True when the socket below has ended too. After our close, a WebSocket still waits for the peer's closing frame.
 */
export const isGone = (connection: EngineConnection): boolean =>
  connection.readyState === 'closed' &&
  (webSocketOf(connection)?.readyState ?? WebSocket.CLOSED) === WebSocket.CLOSED

/**
 * Ends the connection at once. A closing handshake would wait behind all unsent data, for a
 * peer that may never read it.
 */
export function cutOff(connection: EngineConnection): void {
  const socket = webSocketOf(connection)
  connection.close(true)
  socket?.terminate()
  // On polling, a proper close that has started waits half a minute for the next poll, which may never come.
  const { transport } = connection
  const conclude: unknown =
    connection.readyState === 'closing' ? Reflect.get(transport, 'shouldClose') : undefined
  if (typeof conclude === 'function') conclude.call(transport)
}

/** Returns the ws socket of a WebSocket transport. Polling has none. */
function webSocketOf({ transport }: EngineConnection): WebSocket | undefined {
  const socket: unknown = Reflect.get(transport, 'socket')
  return socket instanceof WebSocket ? socket : undefined
}

const sizeOf = (data: unknown): number =>
  typeof data === 'string' ? Buffer.byteLength(data) : ArrayBuffer.isView(data) ? data.byteLength : 0

/** A message of Engine.IO, with the bytes of its WebSocket frame. */
export interface Frame {
  readonly packet: string
  readonly webSocket: readonly Buffer[]
}

/**
 * Sends many frames in one write, which costs a tenth of separate writes. The frames keep their order among
 * everything sent on this connection, and they are queued when this function returns. Resolves with the milliseconds
 * that this thread spent, as far as the transport could write at once.
 */
export async function writeAll(connection: EngineConnection, frames: readonly Frame[]): Promise<number> {
  let took = 0
  let began = 0
  let tcp: unknown
  const begin = (): void => {
    const socket = webSocketOf(connection)
    tcp = socket && Reflect.get(socket, '_socket')
    if (tcp instanceof Socket) tcp.cork()
    began = performance.now()
  }
  const end = (): void => {
    if (tcp instanceof Socket) tcp.uncork()
    took += performance.now() - began
  }
  // Engine.IO emits these events directly before and after it passes its buffer to the transport.
  connection.on('flush', begin)
  connection.on('drain', end)
  const started = performance.now()
  for (const { packet, webSocket } of frames) {
    const options = { compress: false, wsPreEncodedFrame: webSocket }
    connection.write(packet, options)
  }
  const queued = performance.now() - started - took
  // The first frame is sent alone, the others when the kernel has taken it. That happens before
  // setImmediate, or much later.
  await new Promise((resolve) => setImmediate(resolve))
  connection.off('flush', begin)
  connection.off('drain', end)
  return took + queued
}
