// A receiver in a process of its own. It answers everything with 204 and records how long each event waited until
// its request began to arrive. Its parent sends the certificate first, and then asks for what was recorded.
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface Noted {
  readonly count: number
  /** Milliseconds. */
  readonly waits: readonly number[]
}

let count = 0
let waits: number[] = []

process.once('message', ({ cert, key }: { cert: string; key: string }) => {
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
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
  process.on('message', () => {
    process.send?.({ count, waits } satisfies Noted)
    count = 0
    waits = []
  })
})
process.once('disconnect', () => process.exit())
