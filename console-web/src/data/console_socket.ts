// A socket of the console namespace: WebSocket first, long polling where that is blocked. Reconnecting is ours (beacon_stream), not the library's.
import { io, type Socket } from 'socket.io-client'
import { CONSOLE_NAMESPACE } from '../../../shared/wire/console_stream.ts'

/**
 * `failures` counts attempts in a row that came to nothing. Every second one begins with polling: there are proxies that
 * let a WebSocket open and then cut it, which looks like a connection and never is one.
 */
export const consoleSocket = (token: string, failures: number): Socket =>
  io(CONSOLE_NAMESPACE, {
    auth: { token },
    transports: failures % 2 === 0 ? ['websocket', 'polling'] : ['polling', 'websocket'],
    // Without this the second transport would never be tried: the library only falls back when told to.
    tryAllTransports: true,
    reconnection: false,
    autoConnect: false,
    forceNew: true,
    timeout: 10_000,
  })
