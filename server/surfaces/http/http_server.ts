// The HTTP server's beginning and end: it listens, and when it stops, requests under way may finish.
import type { Server } from 'node:http'

/** Listens and answers the origin that people on this machine can type, e.g. `http://localhost:4000`. */
export async function openServer(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return `http://${LOOPBACK.has(host) ? 'localhost' : host}:${bound}`
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1', '0.0.0.0', '::'])

/** Requests under way may finish within this time. */
const DRAIN_MS = 4_000

/** Takes no more connections, ends idle ones, waits for the rest and then ends those too. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
    server.close(() => {
      clearTimeout(timer)
      resolve()
    })
    server.closeIdleConnections()
  })
}
