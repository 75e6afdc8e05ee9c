// A socket of the console namespace: WebSocket first, long polling where WebSocket is blocked. beacon_stream
// reconnects, not the library.
import { io, type Socket } from 'socket.io-client'
import { CONSOLE_NAMESPACE, type HandshakeAuth } from '../../../../shared/wire/console_stream.ts'

/**
 * `failures` counts failed attempts in a row. Every second attempt after a failure begins with polling,
 * because some proxies accept a WebSocket and then cut it.
 */
export const consoleSocket = (token: string, failures: number): Socket =>
  io(CONSOLE_NAMESPACE, {
    auth: { token } satisfies HandshakeAuth,
    transports: failures % 2 === 0 ? ['websocket', 'polling'] : ['polling', 'websocket'],
    // Required for the second transport: by default the library does not try it.
    tryAllTransports: true,
    reconnection: false,
    autoConnect: false,
    forceNew: true,
    timeout: 10_000,
  })
