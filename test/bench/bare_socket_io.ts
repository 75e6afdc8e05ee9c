// Baseline: a bare Socket.IO server that sends each posted body to every socket.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    io.emit('beacon.created', JSON.parse(Buffer.concat(chunks).toString('utf8')))
    response.end('{}')
  })
})
const io = new Server(server, { transports: ['websocket'], perMessageDeflate: false, serveClient: false })
server.listen(0, '127.0.0.1', () => {
  process.stderr.write(`listening http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
