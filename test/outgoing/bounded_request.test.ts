// One request to the world outside: whatever the other side does, it ends within its bounds.
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { boundedRequest } from '../../server/outgoing/bounded_request.ts'

let server: Server | undefined
const sockets = new Set<Socket>()
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await new Promise((closed) => (server === undefined ? closed(undefined) : server.close(closed)))
  server = undefined
})

/** Raw bytes: what a well-behaved server would never send. */
const answering = async (answer: (socket: Socket) => void): Promise<string> => {
  const opened = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => answer(socket))
  })
  server = opened
  await new Promise<void>((listening) => void opened.listen(0, '127.0.0.1', listening))
  const bound = opened.address()
  return `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`
}
const HINT = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
/** As patient as a test is. */
const BOUNDS = { timeoutMs: 120_000, maxBytes: 1_024 }

it('takes a few interim answers before the one that counts', async () => {
  const address = await answering((socket) => void socket.write(HINT.repeat(10) + OK))
  expect(await boundedRequest(address, BOUNDS)).toMatchObject({ status: 200, body: Buffer.from('ok') })
})

it('ends when interim answers do not', async () => {
  const address = await answering((socket) => {
    const more = () => void (socket.destroyed || socket.write(HINT.repeat(100), more))
    more()
  })
  await expect(boundedRequest(address, BOUNDS)).rejects.toMatchObject({
    reason: 'too_large',
    message: expect.stringMatching(/more than 10 interim answers/),
  })
})
