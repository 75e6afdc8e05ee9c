// The database under a running server is replaced by an older copy of itself. Every client gets a clear
// answer.
import type { Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { finalizeBlock } from '../../server/domain/ledger/finalize_block.ts'
import { createSigner } from '../../server/domain/ledger/signing_key.ts'
import { openStore } from '../../server/store/open_store.ts'
import type { Beacon } from '../../shared/wire/console_stream.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { blockLog } from '../support/block_log.ts'
import { ask, eventually } from '../support/http.ts'
import { type ConsoleClient, connect } from '../surfaces/console/console_client.ts'
import { beaconsAfter, enterStream } from '../surfaces/graphql/stream_client.ts'

const databaseOf = (url: string): string => new URL(url).pathname.slice(1)

/**
 * Works on the database while no one is connected to it. Afterwards clients reconnect to what is there then.
 */
async function alone(app: TestApp, work: (name: string) => Promise<unknown>): Promise<void> {
  const { maintain, url } = app.database
  const name = databaseOf(url)
  await maintain(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  try {
    const gone = async () => {
      await maintain('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
      const left = await maintain('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [name])
      return left.rowCount === 0 || undefined
    }
    await eventually(gone)
    await work(name)
  } finally {
    await maintain(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  }
}

const copyOf = (name: string): string => `${name}_copy`
const takeCopy = (app: TestApp) =>
  alone(app, (name) => app.database.maintain(`CREATE DATABASE ${copyOf(name)} TEMPLATE ${name}`))
/** From here on the server uses the copy. */
const swap = (app: TestApp) =>
  alone(app, async (name) => {
    await app.database.maintain(`ALTER DATABASE ${name} RENAME TO ${name}_lost`)
    await app.database.maintain(`ALTER DATABASE ${copyOf(name)} RENAME TO ${name}`)
  })

async function extendCopy(app: TestApp, count: number): Promise<void> {
  const url = Object.assign(new URL(app.database.url), {
    pathname: `/${copyOf(databaseOf(app.database.url))}`,
  }).href
  const store = openStore({ url, poolSize: 2 })
  const signer = createSigner({ masterKey: app.masterKey })
  const publicLog = blockLog(app.masterKey)
  for (let made = 0; made < count; )
    if (
      (await finalizeBlock({ em: store.em(), signer, publicLog }, { intervalMs: 1 })).outcome === 'finalized'
    )
      made += 1
  await store.close()
}

/**
 * Waits until the server answers again. It lost its connections, so requests in the meantime may have failed.
 */
const answering = (app: TestApp) =>
  eventually(async () => {
    const answer = await ask(app.port, '/api/json/beacons/latest', { key: app.owner.key })
    return answer.status === 200 ? (answer.json() as Beacon) : undefined
  })
const finalizeSoon = (app: TestApp) =>
  eventually(() =>
    app.finalize().then(
      () => true,
      () => undefined,
    ),
  )

describe.each([
  { copy: 'that is behind', ahead: 0 },
  { copy: 'that went another way, and further', ahead: 6 },
])('a chain replaced by a copy $copy', ({ ahead }) => {
  let app: TestApp
  let client: ConsoleClient
  let graphql: Awaited<ReturnType<typeof enterStream>>
  let lost: Beacon
  let head: Beacon
  const sockets: Socket[] = []

  beforeAll(async () => {
    app = await openTestApp()
    await app.finalize(3)
    await takeCopy(app)
    const { id: newest } = await answering(app)
    client = await connect(app.base, app.owner.key)
    sockets.push(client.socket)
    await client.ask('subscribe', { stream: 'beacons' })
    graphql = await enterStream(app.port, app.owner.key)
    graphql.say({ id: 'a', type: 'subscribe', payload: beaconsAfter(newest) })
    for (let made = 0; made < 4; made += 1) await finalizeSoon(app)
    await eventually(() => client.beacons().length === 4 || undefined)
    lost = client.beacons().at(-1) ?? expect.fail('nothing was shown')
    const known = await ask(app.port, `/api/json/beacons/${lost.id}`, { key: app.owner.key })
    expect(known.status).toBe(200)
    if (ahead > 0) await extendCopy(app, ahead)
    await swap(app)
    head = await eventually(async () => {
      const latest = await answering(app)
      return latest.id === lost.id ? undefined : latest
    })
  })
  afterAll(async () => {
    for (const socket of sockets) socket.disconnect()
    graphql.socket.terminate()
    await app.close()
    await app.database.maintain(`DROP DATABASE IF EXISTS ${databaseOf(app.database.url)}_lost WITH (FORCE)`)
  })

  it('is told to every subscriber, with the new head and what is lost, and nothing that does not link is sent', async () => {
    await eventually(() => client.of('chain.replaced').length === 1 || undefined)
    expect(client.of('chain.replaced')).toEqual([{ head, lost }])
    await finalizeSoon(app)
    await eventually(() => client.beacons().length === 5 || undefined)
    expect(client.beacons().at(-1)?.previous_hash).toBe(head.hash)
    expect(client.told.map(({ event }) => event)).toEqual([
      'welcome',
      ...Array.from({ length: 4 }, () => 'beacon.created'),
      'chain.replaced',
      'beacon.created',
    ])
  })

  it('is an error of one event on GraphQL, which goes on from the new head', async () => {
    const told = await eventually(() => {
      const next = graphql.heard.filter(({ type }) => type === 'next')
      return next.length >= 6 ? next : undefined
    })
    const [broken, after] = told.slice(4).map(({ payload }) => payload)
    expect(broken).toMatchObject({
      errors: [{ extensions: { code: 'chain_replaced', meta: { head, lost } } }],
    })
    expect(after).toMatchObject({ data: { beaconCreated: { previousHash: head.hash } } })
  })

  it('leaves nothing of the old one in memory', async () => {
    for (const path of [lost.id, `by-hash/${lost.hash}`])
      expect((await ask(app.port, `/api/json/beacons/${path}`, { key: app.owner.key })).status).toBe(404)
    const listed = await ask(app.port, '/gql', {
      key: app.owner.key,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ beacons { id } latestBeacon { id } }' }),
    })
    expect(listed.text).not.toContain(lost.id)
  })

  it('is logged, and shown to whoever watches the service', async () => {
    expect(app.logged.filter(({ msg }) => msg === 'chain.replaced')).toMatchObject([
      { level: 'error', lost, head },
    ])
    expect((await ask(app.port, '/health/ready')).json()).toMatchObject({
      ready: true,
      chain_replaced: { lost, head, ago_ms: expect.any(Number) },
    })
  })

  it('is told to who comes back with a beacon that is lost: unknown_beacon carries the head to begin again at', async () => {
    const back = await connect(app.base, app.owner.key)
    sockets.push(back.socket)
    const latest = await answering(app)
    expect(await back.ask('subscribe', { stream: 'beacons', after: lost.id })).toEqual({
      ok: false,
      code: 'unknown_beacon',
      message: expect.any(String),
      head: latest,
    })
    expect(await back.ask('subscribe', { stream: 'beacons', after: latest.id })).toEqual({
      ok: true,
      head: latest,
    })
    graphql.say({ id: 'b', type: 'subscribe', payload: beaconsAfter(lost.id) })
    expect((await graphql.hear('next', 'b')).payload).toMatchObject({
      errors: [{ extensions: { code: 'unknown_beacon', meta: { head: latest } } }],
    })
  })
})
