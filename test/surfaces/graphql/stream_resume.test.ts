// Subscriptions to beacons that go on after the last one that was seen: every later one comes once, and in order.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { ask, eventually } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { insertBlocks } from '../jsonapi/crowd.ts'
import { beaconOf } from '../jsonapi/documents.ts'
import { beaconsAfter, enterStream, type StreamClient } from './stream_client.ts'

/** More than two pages. */
const BLOCKS = 520

const app = testApp()
let other: TestApp
beforeAll(async () => {
  await insertBlocks(app.query, BLOCKS - 1)
  await app.finalize()
  other = await openTestApp({ beside: app })
})
afterAll(async () => {
  for (const server of [app, other])
    expect(server.logged.filter(({ level }) => level === 'error')).toEqual([])
  await other.close()
})

/** The ids of all beacons, oldest first. */
const chain = async (): Promise<string[]> =>
  (await app.query<{ id: string }>('SELECT id FROM blocks ORDER BY height')).map(({ id }) => id)

const told = z.object({ data: z.object({ beaconCreated: z.object({ id: z.string() }) }) })
const idsOf = (client: StreamClient, id: string): string[] =>
  client.payloads(id).map((payload) => told.parse(payload).data.beaconCreated.id)

/** Events of 8 kB, by the names that the client gives to what it reads. */
const WIDE = `subscription ($after: String) { beaconCreated(after: $after) { id ${Array.from(
  { length: 29 },
  (_, at) => `${'a'.repeat(198)}${at}: hash`,
).join(' ')} } }`

/** A client, and the server's end of its connection. */
async function enterBesideServer(): Promise<{ client: StreamClient; ofServer: Socket }> {
  const taken: Socket[] = []
  const take = (message: unknown): void => {
    const { socket } = z.object({ socket: z.instanceof(Socket) }).parse(message)
    if (socket.localPort === app.port) taken.push(socket)
  }
  subscribe('net.server.socket', take)
  const client = await enterStream(app.port, app.owner.key)
  unsubscribe('net.server.socket', take)
  const [ofServer] = taken
  if (ofServer === undefined) throw new Error('The server took no connection.')
  return { client, ofServer }
}

const refused = z.object({ errors: z.tuple([z.object({ message: z.string(), extensions: z.unknown() })]) })

describe('beaconCreated(after)', () => {
  it('has no gap between what was and what comes, wherever it begins, while blocks are made without a pause', async () => {
    const before = await chain()
    const starts = [0, 1, 249, 250, 251, before.length - 2, before.length - 1]
    const clients = await Promise.all([app, other].map(({ port, owner }) => enterStream(port, owner.key)))
    let making = true
    const made = (async () => {
      while (making) await app.finalize(1)
    })()
    for (const client of clients)
      for (const [index, start] of starts.entries())
        client.say({
          id: String(index),
          type: 'subscribe',
          payload: beaconsAfter((before[start] ?? '').toUpperCase()),
        })
    const everyone = clients.flatMap((client) => starts.map((start, index) => ({ client, start, index })))
    await eventually(
      () =>
        everyone.every(({ client, start, index }) => {
          const { length } = client.payloads(String(index))
          return length > before.length - start + 20
        }) || undefined,
    )
    making = false
    await made
    const now = await chain()
    for (const { client, start, index } of everyone) {
      const expected = now.slice(start + 1)
      await eventually(() => client.payloads(String(index)).length >= expected.length || undefined)
      expect(idsOf(client, String(index)), `after ${start}`).toEqual(expected)
    }
    for (const { socket } of clients) socket.close()
  })

  it('serves a client that comes back to another server each time, after the last one that it saw', async () => {
    const [first = ''] = (await chain()).slice(-1)
    const seen: string[] = []
    const servers = [app, other]
    let opened = 0
    let socket: WebSocket | undefined
    const variables = { after: first }
    const client = createClient({
      url: () => `ws://127.0.0.1:${servers[opened % 2]?.port}/gql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Bearer ${app.owner.key}` },
      retryAttempts: 100,
      retryWait: async () => undefined,
      on: {
        connected: (connected) => {
          opened += 1
          socket = connected instanceof WebSocket ? connected : undefined
        },
      },
    })
    const over = new Promise<void>((resolve, reject) =>
      client.subscribe<{ beaconCreated: { id: string } }>(
        { query: beaconsAfter('').query, variables },
        {
          next: ({ data }) => {
            variables.after = data?.beaconCreated.id ?? variables.after
            seen.push(variables.after)
          },
          error: reject,
          complete: resolve,
        },
      ),
    )
    for (let round = 1; round <= 12; round += 1) {
      await app.finalize(2)
      // Cut in the middle of what is told, or after it.
      await eventually(() => seen.length >= 2 * round - (round % 2) || undefined)
      socket?.terminate()
    }
    const expected = (await chain()).slice(-24)
    await eventually(() => seen.at(-1) === expected.at(-1) || undefined)
    expect(seen).toEqual(expected)
    expect(opened).toBeGreaterThan(6)
    await client.dispose()
    await over
  })

  it('leaves nothing out for a client that stops reading for a while', async () => {
    const { client, ofServer } = await enterBesideServer()
    const [first = ''] = await chain()
    for (const id of ['a', 'b'])
      client.say({ id, type: 'subscribe', payload: { ...beaconsAfter(first), query: WIDE } })
    await client.hear('next', 'b')
    client.socket.pause()
    // Until the system takes no more for the client. Blocks are made only where it takes more than all of them.
    await eventually(async () => ofServer.writableLength > 0 || (await app.finalize(50)))
    await app.finalize(20)
    expect(ofServer.writableLength).toBeGreaterThan(0)
    client.socket.resume()
    const expected = (await chain()).slice(1)
    for (const id of ['a', 'b']) {
      await eventually(() => client.payloads(id).length >= expected.length || undefined)
      expect(idsOf(client, id)).toEqual(expected)
    }
    client.socket.close()
  })

  it('refuses what is no beacon of this ledger, with the head to begin again at, and the connection stays', async () => {
    const head = beaconOf(await ask(app.port, '/api/json/beacons/latest', { key: app.owner.key }))
    const client = await enterStream(app.port, app.owner.key)
    for (const unknown of [newUuid7(), app.owner.teamId]) {
      client.say({ id: unknown, type: 'subscribe', payload: beaconsAfter(unknown) })
      const { payload } = await client.hear('next', unknown)
      const [{ message, extensions }] = refused.parse(payload).errors
      expect(extensions).toMatchObject({ code: 'unknown_beacon', fields: ['after'], meta: { head } })
      expect(message).toMatch(/begin again at `head`/)
      await client.hear('complete', unknown)
    }
    for (const malformed of ['', 'x', '01MB78W7FGY7TZHKNWE7WA3Z57', 'é', '0']) {
      const id = `of ${malformed}`
      client.say({ id, type: 'subscribe', payload: beaconsAfter(malformed) })
      const [{ message, extensions }] = refused.parse((await client.hear('next', id)).payload).errors
      expect(extensions).toMatchObject({ code: 'invalid_argument', fields: ['after'] })
      expect(message).toBe('must be a UUIDv7, in either case')
    }
    client.say({ id: 'head', type: 'subscribe', payload: beaconsAfter(head.id) })
    client.say({ type: 'ping' })
    await client.hear('pong')
    await app.finalize()
    await eventually(() => client.payloads('head').length === 1 || undefined)
    client.socket.close()
  })
})
