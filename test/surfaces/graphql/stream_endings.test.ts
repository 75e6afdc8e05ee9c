// How a stream ends by itself: credentials that end, peers that are gone, clients that do not keep up.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalog } from '../../../server/catalog/catalog.ts'
import type { Services } from '../../../server/catalog/context.ts'
import { cursorCodec } from '../../../server/contract/keyset.ts'
import { authenticate, type Caller } from '../../../server/domain/accounts/caller.ts'
import type { PlacedBeacon } from '../../../server/domain/beacons/beacon.ts'
import { type BeaconFeed, createBeaconFeed } from '../../../server/domain/beacons/beacon_feed.ts'
import { openCatchUp } from '../../../server/domain/beacons/catch_up.ts'
import { ceilings } from '../../../server/kernel/ceilings.ts'
import { buildGraphqlSchema } from '../../../server/surfaces/graphql/schema/build_schema.ts'
import { beaconSources } from '../../../server/surfaces/graphql/schema/subscriptions.ts'
import { attachGraphqlStream } from '../../../server/surfaces/graphql/stream/attach_graphql_stream.ts'
import { accessToken, revokeGrant } from '../../support/access_token.ts'
import { eventually } from '../../support/http.ts'
import { openTestDoor } from '../../support/stream_door.ts'
import { testApp } from '../../support/test_app.ts'
import { BEACON_CREATED, enterStream, openStream } from './stream_client.ts'

const app = testApp()
let httpServer: Server
let stream: ReturnType<typeof attachGraphqlStream>
let port = 0
/** What was logged of connections that ended. */
const ended: object[] = []
/** Who is told of new beacons. */
const listeners = new Set<(placed: PlacedBeacon) => void>()
let feed: BeaconFeed
/** Tokens that expire soon after the server has read them, however late that is. */
const short = new Set<string>()
/** The caller behind the token of its name. */
const WRITER: Caller = {
  userId: 'x',
  fullName: 'writer',
  plan: 'free',
  credential: { kind: 'api_key', id: 'none', expiresAt: null },
  scopes: new Set(['api:write']),
}
beforeAll(async () => {
  httpServer = createServer()
  const unused = (): never => {
    throw new Error('not needed here')
  }
  const services: Services = Object.assign(Object.create(null), {
    tenantOf: unused,
    ceilings: ceilings(),
  })
  const log = Object.assign(Object.create(null), {
    debug: () => undefined,
    info: (line: object) => void ended.push(line),
    warn: unused,
    error: unused,
  })
  const em = () => app.store.em()
  feed = createBeaconFeed({ em, log, connected: () => true })
  await feed.start()
  const onBeacon: BeaconFeed['onBeacon'] = (listener) => {
    const stop = feed.onBeacon(listener)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      stop()
    }
  }
  const beacons = beaconSources(openCatchUp({ em, feed: { ...feed, onBeacon }, log }))
  stream = attachGraphqlStream({
    httpServer,
    catalog,
    schema: buildGraphqlSchema({ catalog, cursors: cursorCodec(Buffer.alloc(32)), beacons }),
    store: app.store,
    services,
    authenticate: async (token, resource) => {
      if (token === 'api:write') return WRITER
      const caller = await authenticate(app.store.em(), token, resource)
      if (caller === undefined || !short.has(token)) return caller
      return { ...caller, credential: { ...caller.credential, expiresAt: Date.now() + 500 } }
    },
    log,
    door: openTestDoor({ server: 3 }),
    timing: { init: 2_000, ping: 1_000, sweep: 20, credentials: 50, ending: 200 },
  })
  await new Promise<void>((resolve) => httpServer.listen(0, '127.0.0.1', resolve))
  port = (httpServer.address() as AddressInfo).port
})
afterAll(async () => {
  await stream.close()
  await feed.close()
  httpServer.close()
})

describe('a connection ends', () => {
  it('when its credential may not read, with 4403', async () => {
    const client = await openStream(port)
    client.say({ type: 'connection_init', payload: { authorization: 'Bearer api:write' } })
    expect(await client.closed).toEqual({
      code: 4403,
      why: 'insufficient_scope: the access token lacks the scope api:read',
    })
  })

  it('when its credential is revoked or expires, with 4403', async () => {
    const { userId } = app.owner
    const scopes = ['api:read'] as const
    const { userId: leaving, key: leavingKey } = await app.account('grace')
    const key = await app.apiKey({ userId })
    const granted = await accessToken(app, { userId, scopes })
    const revoked = await Promise.all([key.secret, granted.token].map((token) => enterStream(port, token)))
    await app.query('UPDATE api_keys SET revoked_at = pharos_now() WHERE id = $1', [key.id])
    await revokeGrant(app, granted.grantId)
    for (const { closed } of revoked) expect((await closed).code).toBe(4403)
    const ofLeaving = await accessToken(app, { userId: leaving, scopes })
    const disabled = await Promise.all([leavingKey, ofLeaving.token].map((token) => enterStream(port, token)))
    await app.query('UPDATE users SET disabled_at = pharos_now() WHERE id = $1', [leaving])
    for (const { closed } of disabled) expect((await closed).code).toBe(4403)
    const { secret } = await app.apiKey({ userId })
    const { token } = await accessToken(app, { userId, scopes })
    for (const one of [secret, token]) short.add(one)
    const expiring = await Promise.all([secret, token].map((one) => enterStream(port, one)))
    for (const { closed } of expiring) expect((await closed).code).toBe(4403)
    const granting = { credential: 'access_token', credential_id: granted.id, client_id: 'a-third-party' }
    await eventually(() => (ended.length >= 6 ? true : undefined))
    expect(ended).toContainEqual({
      code: 4403,
      user_id: userId,
      ...granting,
      duration_ms: expect.any(Number),
    })
    for (const one of [key.secret, granted.token]) expect(JSON.stringify(ended)).not.toContain(one)
  })

  it('at once when its token is of the agent tools, has expired, or may not read, with 4403', async () => {
    const { userId } = app.owner
    for (const parts of [
      { scopes: ['mcp:read'], resource: 'mcp' },
      { scopes: ['api:read'], lifetimeMs: -1 },
      { scopes: ['console:read'] },
    ] as const) {
      const { token } = await accessToken(app, { userId, ...parts })
      const client = await openStream(port)
      client.say({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })
      expect((await client.closed).code).toBe(4403)
    }
  })

  it('when nobody says who it is in time, with 4408', async () => {
    expect((await (await openStream(port)).closed).code).toBe(4408)
  })

  it('when its peer does not answer pings any more', async () => {
    const client = await enterStream(port, app.owner.key)
    client.socket.pause()
    await eventually(() => (stream.connections() === 0 ? true : undefined))
    client.socket.terminate()
  })

  it('and takes its subscriptions with it', async () => {
    const client = await enterStream(port, app.owner.key)
    client.say({ id: 'a', type: 'subscribe', payload: { query: BEACON_CREATED } })
    await eventually(() => (listeners.size === 1 ? true : undefined))
    client.socket.terminate()
    await eventually(() => (listeners.size === 0 ? true : undefined))
  })
})

it('a server that is full says so', async () => {
  const clients = await Promise.all([1, 2, 3].map(() => enterStream(port, app.owner.key)))
  const { closed } = await openStream(port)
  expect(await closed).toMatchObject({ code: 1013, why: expect.stringMatching(/^overloaded: /) })
  for (const { socket } of clients) socket.terminate()
  await eventually(() => (stream.connections() === 0 ? true : undefined))
})
