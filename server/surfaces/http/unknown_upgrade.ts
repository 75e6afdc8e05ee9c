// Requests to switch protocols: to WebSocket where something speaks it; refused at once elsewhere, or they would hang.
import type { IncomingMessage, Server } from 'node:http'

/**
 * For `shouldUpgradeCallback`. Any other protocol is an offer that a server may ignore (RFC 9110 section 7.8): some
 * clients offer HTTP/2 (`h2c`) with every plain request, and want an answer to it all the same.
 */
export const wantsWebSocket = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  (headers.upgrade ?? '').toLowerCase().includes('websocket')

/** @param known the paths that switch; their own listeners answer there. Socket.IO's ends in a slash. */
export function refuseUnknownUpgrades(server: Server, known: readonly string[]): void {
  server.on('upgrade', ({ url = '' }, socket) => {
    if (known.includes(url.split('?', 1)[0] ?? '')) return
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
}
