// Live streams besides the beacons: subscribed to while followed, again after every reconnect, and let go when nobody does.
import { createServer, type Server as HttpServer } from 'node:http'
import { Server } from 'socket.io'
import { io, type Socket } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Api } from '../../console-web/src/data/api_client.ts'
import { LiveEvents } from '../../console-web/src/data/stream/live_events.ts'
import { LiveList } from '../../console-web/src/data/stream/live_list.ts'
import { deliveriesOf, NO_FILTER } from '../../console-web/src/webhooks/delivery_filter.ts'
import type { JsonValue } from '../../shared/proof/json_value.ts'
import { CONSOLE_NAMESPACE } from '../../shared/wire/console_stream.ts'

let http: HttpServer
let server: Server
let port: number
let commands: string[]
let sockets: Socket[]
let live: LiveEvents
let heard: string[]

const soon = { timeout: 60_000 }

beforeEach(async () => {
  commands = []
  sockets = []
  heard = []
  live = new LiveEvents()
  http = createServer()
  server = new Server(http)
  server.of(CONSOLE_NAMESPACE).on('connection', (socket) => {
    for (const name of ['subscribe', 'unsubscribe'])
      socket.on(name, ({ stream }: { stream: string }, answer?: (words: unknown) => void) => {
        commands.push(`${name} ${stream}`)
        answer?.({ ok: true })
      })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterEach(async () => {
  for (const socket of sockets) socket.disconnect()
  await server.close()
})

/** A connection that has been welcomed; the answer ends it. */
const connect = async (): Promise<() => void> => {
  const socket = io(`http://127.0.0.1:${port}${CONSOLE_NAMESPACE}`, {
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
  })
  sockets.push(socket)
  await new Promise<void>((resolve) => socket.once('connect', resolve))
  const leave = live.joined(socket)
  return () => {
    leave()
    socket.disconnect()
  }
}

const follow = (name: string) =>
  live.follow('webhook_deliveries', {
    opened: () => void heard.push(`${name} opened`),
    closed: () => void heard.push(`${name} closed`),
    heard: (event) => void heard.push(`${name} ${event}`),
  })

const emit = (event: string, body: object) => server.of(CONSOLE_NAMESPACE).emit(event, body)

describe('live events', () => {
  it('are told to everybody who follows their stream, and to nobody else', async () => {
    await connect()
    follow('a')
    await expect.poll(() => heard, soon).toEqual(['a opened'])
    follow('b')
    await expect.poll(() => heard, soon).toEqual(['a opened', 'b opened'])
    heard.length = 0
    emit('item.created', {})
    emit('delivery.updated', {})
    emit('webhook_deliveries.burst', {})
    await expect
      .poll(() => heard, soon)
      .toEqual([
        'a delivery.updated',
        'b delivery.updated',
        'a webhook_deliveries.burst',
        'b webhook_deliveries.burst',
      ])
    expect(commands).toEqual(['subscribe webhook_deliveries'])
  })

  it('are subscribed to anew on every connection, and the gap is told', async () => {
    follow('a')
    const leave = await connect()
    await expect.poll(() => heard, soon).toEqual(['a opened'])
    leave()
    expect(heard).toEqual(['a opened', 'a closed'])
    await connect()
    await expect.poll(() => heard, soon).toEqual(['a opened', 'a closed', 'a opened'])
    expect(commands).toEqual(['subscribe webhook_deliveries', 'subscribe webhook_deliveries'])
  })

  it('are let go a while after the last follower, not between two pages', async () => {
    await connect()
    const leave = follow('a')
    await expect.poll(() => heard, soon).toEqual(['a opened'])
    leave()
    const leaveAgain = follow('b')
    await expect.poll(() => heard, soon).toEqual(['a opened', 'b opened'])
    expect(commands).toEqual(['subscribe webhook_deliveries'])
    leaveAgain()
    await expect
      .poll(() => commands, soon)
      .toEqual(['subscribe webhook_deliveries', 'unsubscribe webhook_deliveries'])
  })
})

const delivery = (n: number, status = 'success') => ({
  id: `01a2ce8c-be60-7000-8000-${String(n).padStart(12, '0')}`,
  endpoint_id: 'endpoint',
  event_type: 'item.created',
  status,
  attempts: status === 'pending' ? 0 : 1,
  inserted_at: '2027-01-01T00:00:00.000Z',
  updated_at: '2027-01-01T00:00:00.000Z',
})

const pageOf = (rows: readonly ReturnType<typeof delivery>[]): JsonValue => ({
  data: rows.map(({ id, ...attributes }) => ({ type: 'webhook_delivery', id, attributes })),
  links: { next: null, prev: null },
})

describe('the list of deliveries', () => {
  it('loses nothing that happens while a page is under way, nor while the connection is gone', async () => {
    let answer: (document: JsonValue) => void = () => undefined
    let asked = 0
    const never = () => Promise.reject(new Error('not asked here'))
    const get = () => {
      asked += 1
      return new Promise<JsonValue>((resolve) => {
        answer = resolve
      })
    }
    const api: Api = { get, text: never, post: never, patch: never, delete: never }
    const feed = new LiveList({ api, live }, deliveriesOf(NO_FILTER))
    const stop = feed.start()
    const shown = () => feed.state.read().rows.map(({ id, status }) => `${Number(id.slice(-4))} ${status}`)
    const leave = await connect()
    await expect.poll(() => feed.state.read().live, soon).toBe(true)
    // Asked for once before the connection was there, and once more since.
    await expect.poll(() => asked, soon).toBe(2)
    emit('delivery.created', { data: delivery(3, 'pending') })
    emit('delivery.updated', { data: delivery(2) })
    answer(pageOf([delivery(2, 'pending'), delivery(1)]))
    await expect.poll(shown, soon).toEqual(['3 pending', '2 success', '1 success'])
    leave()
    expect(feed.state.read().live).toBe(false)
    await connect()
    await expect.poll(() => asked, soon).toBe(3)
    answer(pageOf([delivery(4), delivery(3), delivery(2), delivery(1)]))
    await expect.poll(shown, soon).toEqual(['4 success', '3 success', '2 success', '1 success'])
    stop()
  })
})
