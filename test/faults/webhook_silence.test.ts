// Whatever a receiver waits with, its visit rests meanwhile, and its endpoint is known as slow afterwards.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deliverEndpoint } from '../../server/domain/webhooks/sending/deliver_endpoint.ts'
import { endpointClaims } from '../../server/domain/webhooks/sending/due_deliveries.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { openTestWebhooks, type TestWebhooks } from '../support/webhooks.ts'

let webhooks: TestWebhooks
let receiver: Receiver
let noName = Promise.withResolvers<readonly string[]>()
const sockets = new Set<Socket>()
const silent = createServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => undefined)
})
beforeAll(async () => {
  webhooks = await openTestWebhooks({ resolve: () => noName.promise })
  receiver = await openReceiver()
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await webhooks.close()
  await receiver.close()
  silent.close()
})

function* byteByByte(): Generator<string> {
  yield* 'HTTP/1.1 200 OK\r\nX-Pad: '
  for (;;) yield 'a'
}

const trickle = (socket: Socket): void => {
  const answer = byteByByte()
  const timer = setInterval(() => socket.write(answer.next().value), 20)
  socket.once('close', () => clearInterval(timer))
}

/** Ends what the receivers wait with. */
const end = (): void => {
  noName.resolve([])
  for (const socket of sockets) socket.destroy()
}

it.each<[string, () => string]>([
  [
    'takes the connection and says nothing',
    () => `https://127.0.0.1:${(silent.address() as AddressInfo).port}/`,
  ],
  ['takes the request and never answers', () => receiver.url('127.0.0.1', '/never')],
  ['sends its answer byte by byte', () => receiver.url('127.0.0.1', '/trickle')],
  ['has a name that nobody resolves', () => 'https://hooks.example.com/'],
])('a receiver that %s', async (_, url) => {
  receiver.respond((_response, { path }, socket) => {
    sockets.add(socket)
    if (path === '/trickle') trickle(socket)
  })
  noName = Promise.withResolvers()
  const { id } = await webhooks.endpoint({ url: url(), events: ['item.created'] })
  const standing = async () => (await endpointClaims(webhooks.ledger.store.em(), [id])).get(id)?.standing
  expect(await standing()).toBe('unknown')
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  const told: boolean[] = []
  const rests = Promise.withResolvers<void>()
  const began = performance.now()
  const visit = deliverEndpoint(webhooks.tools, id, (now) => {
    told.push(now)
    rests.resolve()
  })
  await rests.promise
  await expect.poll(() => performance.now() - began).toBeGreaterThan(1_100)
  end()
  await visit
  expect(told).toEqual([true, false])
  expect(await standing()).toBe('slow')
})
