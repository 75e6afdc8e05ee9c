// A body that does not arrive in time is a 408 that reaches its sender, who may still be at it.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { Refusal } from '../../../server/kernel/refusal.ts'
import { leavesBodyUnread, readBody } from '../../../server/surfaces/http/read_body.ts'
import { openWire } from '../../support/http.ts'

let server: Server
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

it.each([
  ['a length', 'Content-Length: 9', 'half'],
  ['chunks', 'Transfer-Encoding: chunked', '4\r\nhalf\r\n'],
])('a slow body with %s is request_timeout, and the connection is closed', async (_, field, sent) => {
  server = createServer(async (request, response) => {
    const told = await readBody(request, 100, 40).catch((error: unknown) => error)
    if (!(told instanceof Refusal)) return void response.end()
    response.writeHead(told.status, leavesBodyUnread(told.status) ? { Connection: 'close' } : {})
    response.end(told.code)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const wire = await openWire((server.address() as AddressInfo).port)
  wire.write(`POST / HTTP/1.1\r\nHost: x\r\n${field}\r\n\r\n${sent}`)
  expect(await wire.ended).toMatch(/^HTTP\/1\.1 408 [\s\S]*Connection: close\r\n[\s\S]*request_timeout/i)
})
