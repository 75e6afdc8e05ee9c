// Receivers that never stop, in a thread of their own: each path is a flood, sent as fast as the other side takes it.
import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import { parentPort, workerData } from 'node:worker_threads'
import { FLOODS, type Flood } from './floods.ts'

const { cert, key } = workerData as { cert: string; key: string }

/** Until the other side has had enough. */
function flood(socket: TLSSocket, { begin, more, times }: Flood): void {
  const piece = Buffer.from(more.repeat(times), 'latin1')
  socket.write(begin)
  const pour = (): void => {
    while (socket.writable && socket.write(piece));
    socket.once('drain', pour)
  }
  pour()
}

const floodAt = (asked: string): Flood | undefined => {
  const name = decodeURIComponent(asked.split(' ')[1]?.slice(1) ?? '')
  return Object.entries(FLOODS).find(([known]) => known === name)?.[1]
}

const server = createServer({ cert, key }, (socket) => {
  socket.on('error', () => undefined)
  socket.once('data', (asked: Buffer) => {
    const found = floodAt(asked.toString('latin1'))
    if (found === undefined) socket.destroy()
    else flood(socket, found)
  })
})
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
