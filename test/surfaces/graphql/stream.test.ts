// Subscriptions over WebSocket: every beacon while connected, and only for whoever is let in.
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openTestApp } from '../../support/app.ts'
import { ask, eventually, openWire } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { askGraphql, graphqlOf } from './ask_graphql.ts'
import { BEACON_CREATED, enterStream, openStream } from './stream_client.ts'

const app = testApp()
afterAll(async () => {
  expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
})

const errors = z.tuple([z.looseObject({ extensions: z.looseObject({ code: z.string() }) })])

describe('beaconCreated', () => {
  it('tells every new beacon in order, the same as the queries do', async () => {
    const client = await enterStream(app.port, app.owner.key)
    client.say({ id: 'a', type: 'subscribe', payload: { query: BEACON_CREATED } })
    client.say({ id: 'b', type: 'subscribe', payload: { query: 'subscription { beaconCreated { id } }' } })
    // Answered after what was said before it.
    client.say({ type: 'ping' })
    await client.hear('pong')
    await app.finalize(5)
    const told = await eventually(() => {
      const payloads = client.payloads('a')
      return payloads.length >= 5 && client.payloads('b').length >= 5 ? payloads : undefined
    })
    const { data } = graphqlOf(
      await askGraphql(app.port, app.owner.key, '{ beacons { id hash timestamp previousHash } }'),
    )
    const beacons = z.array(z.looseObject({ id: z.string() })).parse(data?.beacons)
    expect(told).toEqual(
      beacons
        .slice(0, 5)
        .toReversed()
        .map((beaconCreated) => ({ data: { beaconCreated } })),
    )
    client.say({ id: 'a', type: 'complete' })
    client.say({ type: 'ping' })
    await eventually(() =>
      client.heard.filter(({ type }) => type === 'pong').length === 2 ? true : undefined,
    )
    await app.finalize(1)
    await eventually(() => (client.payloads('b').length === 6 ? true : undefined))
    expect(client.payloads('a')).toHaveLength(5)
    client.socket.close()
    await client.closed
  })
})

describe('who is let in', () => {
  it.each(['authorization', 'Authorization', 'AUTHORIZATION'])(
    'a credential may be named as clients name the header: %s',
    async (name) => {
      const client = await openStream(app.port)
      client.say({ type: 'connection_init', payload: { [name]: `Bearer ${app.owner.key}` } })
      await client.hear('connection_ack')
      client.socket.close()
    },
  )

  it.each([
    [undefined, 'connection_init has no authorization'],
    [{}, 'connection_init has no authorization'],
    [{ authorization: 'Bearer nothing' }, 'the key or token is not valid here, or not any more'],
    [{ authorization: 5 }, 'authorization must be "Bearer", a space and a key or token'],
    [{ Authorization: 'x' }, 'authorization must be "Bearer", a space and a key or token'],
  ])('a credential that is missing or invalid closes with 4403 and says so: %j', async (payload, why) => {
    const client = await openStream(app.port)
    client.say({ type: 'connection_init', payload })
    expect(await client.closed).toEqual({ code: 4403, why: `unauthorized: ${why}` })
  })

  it('a team of somebody else closes with 4403 and says so, the own one does not', async () => {
    const stranger = await app.account('mallory')
    const init = (tenant: string) => ({
      type: 'connection_init',
      payload: { authorization: `bearer ${app.owner.key}`, tenant },
    })
    const refused = await openStream(app.port)
    refused.say(init(stranger.teamId))
    expect(await refused.closed).toEqual({
      code: 4403,
      why: 'forbidden_tenant: you are not a member of this team',
    })
    const welcome = await openStream(app.port)
    welcome.say(init(app.owner.teamId))
    await welcome.hear('connection_ack')
    welcome.socket.close()
  })

  it('an operation before being let in closes with 4401, a second init with 4429', async () => {
    const early = await openStream(app.port)
    early.say({ id: 'a', type: 'subscribe', payload: { query: BEACON_CREATED } })
    expect((await early.closed).code).toBe(4401)
    const twice = await enterStream(app.port, app.owner.key)
    twice.say({ type: 'connection_init' })
    expect((await twice.closed).code).toBe(4429)
  })
})

describe('what is refused', () => {
  it.each([
    ['{ latestBeacon { id } }', 'invalid_argument'],
    ['mutation { redactItem(id: "x") { errors { code } } }', 'invalid_argument'],
    ['subscription { nothing }', 'invalid_argument'],
    ['subscription {', 'invalid_argument'],
    ['', 'invalid_argument'],
    [
      `subscription { ${Array.from({ length: 31 }, (_, i) => `a${i}: beaconCreated { id }`).join(' ')} }`,
      'query_too_expensive',
    ],
    [`subscription { beaconCreated { ${'id '.repeat(1_500)} } }`, 'query_too_expensive'],
    [`subscription { beaconCreated { ${'id '.repeat(500)} } }`, 'query_too_expensive'],
    [`subscription { ${'beaconCreated'.repeat(50)} { id } }`, 'query_too_expensive'],
  ])('%.60s is answered %s, and the connection stays', async (query, code) => {
    const client = await enterStream(app.port, app.owner.key)
    client.say({ id: 'a', type: 'subscribe', payload: { query } })
    const { payload } = await client.hear('error', 'a')
    expect(errors.parse(payload)[0].extensions.code).toBe(code)
    client.say({ type: 'ping' })
    await client.hear('pong')
    client.socket.close()
  })

  it.each([
    '{',
    'null',
    '[]',
    '{"type":"nothing"}',
    '{"type":"subscribe","id":5}',
    '{"type":"subscribe","id":"a","payload":{"query":5}}',
  ])('a message that is none closes with 4400: %s', async (text) => {
    const client = await enterStream(app.port, app.owner.key)
    client.say(text)
    expect((await client.closed).code).toBe(4400)
  })

  it.each([
    ['a short', 'a', 'Subscriber for a already exists'],
    // As much as fits into 123 bytes, and no half of a character.
    ['a long', 'ü'.repeat(100), `Subscriber for ${'ü'.repeat(54)}`],
  ])('%s id that is in use closes with 4409 and names it', async (_, id, why) => {
    const client = await enterStream(app.port, app.owner.key)
    for (let sent = 0; sent < 2; sent += 1)
      client.say({ id, type: 'subscribe', payload: { query: BEACON_CREATED } })
    expect(await client.closed).toEqual({ code: 4409, why })
  })

  it('a message over the ceiling closes with 1009, a flood with 4429, too many operations are told', async () => {
    const large = await enterStream(app.port, app.owner.key)
    large.say({ type: 'ping', payload: { x: 'x'.repeat(65_536) } })
    expect((await large.closed).code).toBe(1009)
    const flood = await enterStream(app.port, app.owner.key)
    for (let sent = 0; sent < 200; sent += 1) flood.say({ type: 'ping' })
    expect((await flood.closed).code).toBe(4429)
    const many = await enterStream(app.port, app.owner.key)
    for (let id = 0; id <= 20; id += 1)
      many.say({ id: String(id), type: 'subscribe', payload: { query: BEACON_CREATED } })
    expect(errors.parse((await many.hear('error', '20')).payload)[0].extensions.code).toBe('rate_limited')
    many.socket.close()
  })

  it('another subprotocol closes with 4406, another path is 404 at once, HTTP is still answered', async () => {
    const other = await openStream(app.port, { protocol: 'graphql-ws' }).catch((error: unknown) =>
      String(error),
    )
    if (typeof other === 'string') expect(other).toMatch(/subprotocol/i)
    else expect((await other.closed).code).toBe(4406)
    for (const path of ['/', '/gqlx', '/api/json/beacons']) {
      const wire = await openWire(app.port)
      wire.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      )
      expect(await wire.ended).toMatch(/^HTTP\/1\.1 404 /)
    }
    expect((await ask(app.port, '/api/json/beacons/latest', { key: app.owner.key })).status).toBe(200)
  })
})

it('a server that stops closes with 1001', async () => {
  const other = await openTestApp({ beside: app })
  const client = await enterStream(other.port, app.owner.key)
  client.say({ id: 'a', type: 'subscribe', payload: { query: BEACON_CREATED } })
  client.say({ type: 'ping' })
  await client.hear('pong')
  await other.close()
  expect((await client.closed).code).toBe(1001)
})
