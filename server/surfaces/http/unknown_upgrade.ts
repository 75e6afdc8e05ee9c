// Handles requests to switch protocols. Only known paths may switch to WebSocket; others are refused at
// once, because they would hang.
import type { IncomingMessage, Server } from 'node:http'

/**
 * Use it as `shouldUpgradeCallback`. A server may ignore an offer of any other protocol (RFC 9110 section 7.8). Some
 * clients offer HTTP/2 (`h2c`) with every plain request and still expect an answer.
 */
export const wantsWebSocket = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  (headers.upgrade ?? '').toLowerCase().includes('websocket')

/** @param known the paths that may switch, whose own listeners answer; Socket.IO's path ends in a slash */
export function refuseUnknownUpgrades(server: Server, known: readonly string[]): void {
  server.on('upgrade', ({ url = '' }, socket) => {
    if (known.includes(url.split('?', 1)[0] ?? '')) return
    socket.on('error', () => undefined)
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
  })
}
