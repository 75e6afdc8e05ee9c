// A stop ends, whatever clients hold on to.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { createHttpServer, openServer, SERVER_TIMES } from '../../../server/surfaces/http/http_server.ts'

it('ends a connection whose request never gets its header fields when the time for them is over', async () => {
  const headers = 400
  const server = createHttpServer({ maxHeaderBytes: 1_024, times: { ...SERVER_TIMES, headers } })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const client = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1')
  const began = performance.now()
  client.write('GET / HTTP/1.1\r\nHo')
  client.resume()
  await once(client, 'close')
  const took = performance.now() - began
  expect(took).toBeGreaterThanOrEqual(headers - 20)
  // Node itself looks every 30 seconds.
  expect(took).toBeLessThan(20_000)
  server.close()
})

it('cuts a connection that was upgraded and that nobody ends', async () => {
  const server = createServer()
  server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
  })
  const { port, close } = await openServer(server, '127.0.0.1', 0, { finish: 100, refused: 100 })
  const client = connect(port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
  await once(client, 'data')
  let gaveUp = false
  const cut = once(client, 'close')
  await close(() => {
    gaveUp = true
  })
  await cut
  expect(gaveUp).toBe(true)
})
