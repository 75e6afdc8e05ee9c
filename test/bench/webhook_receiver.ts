// A receiver in a thread of its own. It answers everything with 204 and records when each request began to
// arrive.
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

const { cert, key } = workerData as { cert: string; key: string }
let count = 0
let waits: number[] = []

const server = createServer({ cert, key }, (request, response) => {
  const at = Date.now()
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    count += 1
    const { data } = JSON.parse(Buffer.concat(parts).toString())
    waits.push(at - Date.parse(data.inserted_at))
    response.writeHead(204).end()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => parentPort?.postMessage({ port: (server.address() as AddressInfo).port }))

parentPort?.on('message', () => {
  parentPort?.postMessage({ count, waits })
  count = 0
  waits = []
})
