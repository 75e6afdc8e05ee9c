// Receivers that never stop sending, in a thread of their own. The first part of the path names a flood,
// which is sent as fast as the other side reads.
import type { AddressInfo } from 'node:net'
import { createServer as createPlain, type Socket } from 'node:net'
import { createServer } from 'node:tls'
import { parentPort, workerData } from 'node:worker_threads'
import { FLOODS, type Flood } from './floods.ts'

/** Without a certificate it speaks plain HTTP. */
const { cert, key } = workerData as { cert?: string; key?: string }

/** Sends until the other side closes the connection. */
function flood(socket: Socket, { begin, more, times }: Flood): void {
  const piece = Buffer.from(more.repeat(times), 'latin1')
  socket.write(begin)
  const pour = (): void => {
    while (socket.writable && socket.write(piece));
    socket.once('drain', pour)
  }
  pour()
}

const floodAt = (asked: string): Flood | undefined => {
  const name = decodeURIComponent(asked.split(' ')[1]?.split('/')[1] ?? '')
  return Object.entries(FLOODS).find(([known]) => known === name)?.[1]
}

const receive = (socket: Socket): void => {
  socket.on('error', () => undefined)
  socket.once('data', (asked: Buffer) => {
    const found = floodAt(asked.toString('latin1'))
    if (found === undefined) socket.destroy()
    else flood(socket, found)
  })
}
const server = cert === undefined ? createPlain(receive) : createServer({ cert, key }, receive)
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
