// Passes a TCP connection on to a port of this machine, both ways, until either side ends.
import { createServer, connect as dial, type Server, type Socket } from 'node:net'

/** The sockets of both sides are in `sockets` while they are open, so that a test can cut them. */
export function relay(client: Socket, port: number, sockets: Set<Socket>): void {
  const backend = dial({ host: '127.0.0.1', port })
  for (const [socket, other] of [
    [client, backend],
    [backend, client],
  ] as const) {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.pipe(other)
    socket.on('error', () => other.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      other.destroy()
    })
  }
}

/** A listener on a free port of loopback. */
export async function listenForRelay(
  onClient: (client: Socket) => void,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer(onClient)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 }
}
