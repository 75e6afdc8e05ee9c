// Connections kept open between deliveries: to whom they belong, and which answers on them count.
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { forgetWebhooks } from '../support/forget_webhooks.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { openTestWebhooks, type TestWebhooks } from '../support/webhooks.ts'

let webhooks: TestWebhooks
let receiver: Receiver
/** The connections on which each path was requested. */
let asked: Map<string, Socket[]>
beforeAll(async () => {
  webhooks = await openTestWebhooks()
})
afterAll(() => webhooks.close())
beforeEach(async () => {
  receiver = await openReceiver()
  asked = new Map()
})
afterEach(async () => {
  await receiver.close()
  await forgetWebhooks(webhooks)
})

const note = (path: string, socket: Socket): number => {
  const sockets = asked.get(path) ?? []
  asked.set(path, [...sockets, socket])
  return sockets.length
}

const endpoint = (path: string) =>
  webhooks.endpoint({ url: receiver.url('127.0.0.1', path), events: ['item.created'] })

const deliverOne = async (): Promise<void> => {
  await webhooks.ledger.submit({})
  await webhooks.fanOutAll()
  await webhooks.deliverDue()
}

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'

it('a connection is used again by the deliveries of its endpoint, and by no other endpoint of the same host', async () => {
  receiver.respond((response, { path }, socket) => {
    note(path, socket)
    response.writeHead(200).end()
  })
  await endpoint('/one')
  await endpoint('/two')
  for (let n = 0; n < 3; n += 1) await deliverOne()
  const [one, two] = ['/one', '/two'].map((path) => asked.get(path) ?? [])
  expect(new Set(one).size).toBe(1)
  expect(new Set(two).size).toBe(1)
  expect(one?.[0]).not.toBe(two?.[0])
})

it('an answer that nobody asked for is credited to nobody, and closes its connection', async () => {
  const closed: Socket[] = []
  receiver.respond((response, { path }, socket) => {
    const before = note(path, socket)
    if (path === '/honest' || before > 0) return void response.writeHead(500).end()
    socket.once('close', () => closed.push(socket))
    // Sends several more answers than requested, after the first was read.
    response.writeHead(200).end(() => setImmediate(() => socket.write(ANSWER.repeat(3))))
  })
  const lying = await endpoint('/lying')
  const honest = await endpoint('/honest')
  await deliverOne()
  await expect.poll(() => closed.length).toBe(1)
  await deliverOne()
  expect(new Set(asked.get('/lying')).size).toBe(2)
  expect(await webhooks.deliveries(honest.id)).toMatchObject([{ httpStatus: 500 }, { httpStatus: 500 }])
  expect(await webhooks.deliveries(lying.id)).toMatchObject([{ httpStatus: 200 }, { httpStatus: 500 }])
})

it('a connection that its receiver has given up while it was idle costs no attempt', async () => {
  receiver.respond((response, { path }, socket) => {
    const again = (asked.get(path) ?? []).includes(socket)
    note(path, socket)
    if (again) socket.destroy()
    else response.writeHead(200).end()
  })
  const { id } = await endpoint('/')
  await deliverOne()
  await deliverOne()
  expect(asked.get('/')).toHaveLength(3)
  expect(await webhooks.deliveries(id)).toMatchObject([
    { status: 'success', attempts: 1 },
    { status: 'success', attempts: 1 },
  ])
})
