// Three servers behind a balancer, on a primary with a synchronous standby: whatever is killed, nothing is lost that
// was answered, and there is one chain.
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, expect, it } from 'vitest'
import WebSocket from 'ws'
import { followBeacons } from '../support/beacon_follower.ts'
import { ASKS, openLane } from '../support/keep_alive_lane.ts'
import { sizeOf } from '../support/sizes.ts'
import { type Fleet, openFleet, SOON } from './fleet.ts'

const LANES = 4
const RESTARTS = sizeOf('restarts')

let fleet: Fleet
const opened: { close: () => unknown }[] = []
beforeAll(async () => {
  fleet = await openFleet()
}, 300_000)
afterAll(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
  await fleet?.close()
})

it('lists and counts are read from the standby, and what must be current from the primary', async () => {
  const { ask, close } = openLane(fleet.balancer.port, fleet.key)
  opened.push({ close })
  for (const port of fleet.ports) await expect.poll(() => replicaOf(port)).toBe('used')
  const created = await ask(...ASKS[1])
  const { id } = JSON.parse(created.body).data
  expect((await ask('GET', `/api/json/items/${id}`)).status).toBe(200)
  const listed = async (path: string) => JSON.parse((await ask('GET', path)).body)
  await expect.poll(async () => (await listed('/api/json/items')).data[0]?.id).toBe(id)
  expect((await listed('/api/json/items?page[count]=true')).meta.page.total).toBe(1)
  const purposes = await fleet.onStandby<{ purpose: string; statement: string }>(
    `SELECT application_name AS purpose, max(query) AS statement FROM pg_stat_activity
      WHERE application_name LIKE 'pharos %' GROUP BY 1 ORDER BY 1`,
  )
  expect(purposes.map(({ purpose }) => purpose)).toEqual(['pharos expensive', 'pharos read'])
})

it('a standby that is more than five seconds behind is not read from until it has caught up', async () => {
  const { ask, close } = openLane(fleet.balancer.port, fleet.key)
  opened.push({ close })
  const newest = async () => JSON.parse((await ask('GET', '/api/json/items')).body).data[0]?.id
  await fleet.onStandby('SELECT pg_wal_replay_pause()')
  const created = await ask(...ASKS[1])
  const { id } = JSON.parse(created.body).data
  expect(await newest()).not.toBe(id)
  await expect.poll(newest).toBe(id)
  for (const port of fleet.ports) await expect.poll(() => replicaOf(port)).toBe('behind')
  // That makes no server unready.
  expect(fleet.balancer.taking()).toHaveLength(fleet.ports.length)
  await fleet.onStandby('SELECT pg_wal_replay_resume()')
  for (const port of fleet.ports) await expect.poll(() => replicaOf(port)).toBe('used')
})

it(`a rolling restart of ${RESTARTS} servers under load breaks no request, and streams go on without loss`, {
  timeout: 600_000,
}, async () => {
  const before = await itemsStored()
  const follower = follow()
  const subscriber = subscribe()
  await expect.poll(() => Math.min(follower.joined(), subscriber.joined())).toBeGreaterThan(0)
  const load = startLoad(ASKS)
  for (let restart = 0; restart < RESTARTS; restart += 1)
    await fleet.restart(restart % fleet.ports.length, load.moved)
  const { created, answered, others } = await load.stop()
  expect(others).toEqual([])
  expect([...answered].toSorted()).toEqual([
    'GET /api/json/beacons/latest 200',
    'POST /api/json/items 201',
    'POST /gql 200',
  ])
  await expectStored(created)
  // Nor was any of them done twice.
  expect((await itemsStored()) - before).toBe(created.length)
  expect(follower.joined()).toBeGreaterThan(1)
  await follower.expectWhole()
  expect(subscriber.joined()).toBeGreaterThan(1)
  expect(new Set(subscriber.farewells)).toEqual(new Set([1001]))
})

it('a server that is killed loses nothing that was answered', async () => {
  const follower = follow()
  await expect.poll(follower.joined).toBeGreaterThan(0)
  const load = startLoad()
  await load.grows()
  fleet.servers[0]?.kill('SIGKILL')
  await fleet.servers[0]?.ended
  await expect.poll(() => fleet.balancer.taking().length).toBe(fleet.ports.length - 1)
  await load.grows()
  const { created } = await load.stop()
  await expectStored(created)
  await follower.expectWhole()
})

it('a primary that is killed, and whose standby is promoted, loses nothing that was answered, and the chain goes on', async () => {
  const follower = follow()
  await expect.poll(follower.joined).toBeGreaterThan(0)
  const load = startLoad()
  await load.grows()
  await fleet.failOver()
  await load.grows()
  const seen = follower.held.length
  await expect.poll(() => follower.held.length).toBeGreaterThan(seen + 1)
  const { created } = await load.stop()
  await expectStored(created)
  await follower.expectWhole()
  const lane = openLane(fleet.balancer.port, fleet.key)
  opened.push(lane)
  expect((await lane.ask('GET', '/api/json/items')).status).toBe(200)
  // The address of the replica leads to the primary now.
  await expect.poll(() => replicaOf(fleet.balancer.taking()[0])).toBe('other')
})

/** What a server says of the replica. */
const replicaOf = async (port: number | undefined): Promise<unknown> =>
  (await (await fetch(`http://127.0.0.1:${port}/health/ready`)).json()).replica?.state

/** Clients that ask for one thing after the other, by default for items to be made, and go on after every failure. */
function startLoad(asks: readonly (typeof ASKS)[number][] = [ASKS[1]]) {
  let over = false
  const created: string[] = []
  const answered = new Set<string>()
  const others: string[] = []
  const turns = Array.from({ length: LANES }, () => 0)
  const lanes = turns.map(async (_, index) => {
    let lane = openLane(fleet.balancer.port, fleet.key)
    for (; !over; turns[index] = (turns[index] ?? 0) + 1) {
      const [method, path, text] = asks[(index + (turns[index] ?? 0)) % asks.length] ?? ASKS[1]
      await lane.ask(method, path, text).then(
        ({ status, body }) => {
          answered.add(`${method} ${path} ${status}`)
          if (status === 201) created.push(JSON.parse(body).data.id)
          else if (status !== 200) others.push(`${status} ${body}`)
        },
        (error: Error) => {
          others.push(error.message)
          lane.close()
          lane = openLane(fleet.balancer.port, fleet.key)
        },
      )
      if (others.length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    lane.close()
  })
  opened.push({
    close: () => {
      over = true
    },
  })
  return {
    grows: async () => {
      const before = created.length
      await expect.poll(() => created.length).toBeGreaterThan(before + 30)
    },
    /** Two answers later each client has been told to leave a server that is no longer ready, and has left it. */
    moved: async () => {
      const before = [...turns]
      const fewest = () => Math.min(...turns.map((turn, index) => turn - (before[index] ?? 0)))
      await expect.poll(fewest, SOON).toBeGreaterThanOrEqual(2)
    },
    stop: async () => {
      over = true
      await Promise.all(lanes)
      return { created, answered, others }
    },
  }
}

async function itemsStored(): Promise<number> {
  const [row] = await fleet.query<{ items: number }>('SELECT count(*)::integer AS items FROM items')
  return row?.items ?? 0
}

async function expectStored(created: readonly string[]): Promise<void> {
  expect(created.length).toBeGreaterThan(0)
  const [row] = await fleet.query<{ stored: number }>(
    'SELECT count(*)::integer AS stored FROM items WHERE id = ANY($1)',
    [created],
  )
  expect(row?.stored).toBe(created.length)
}

function follow() {
  const { held, joined, close } = followBeacons(fleet.balancer.base, fleet.key)
  opened.push({ close })
  return {
    held,
    joined,
    /** Every beacon since the first, each after the one before it, and all of them in the chain of the database. */
    expectWhole: async () => {
      // The chain is compared from the first beacon on, so there must be one.
      const seen = held.length
      await expect.poll(() => held.length, SOON).toBeGreaterThan(seen)
      const [{ height } = { height: 0 }] = await fleet.query<{ height: number }>(
        'SELECT max(height)::integer AS height FROM blocks',
      )
      const chain = await fleet.query<{ id: string; hash: string }>(
        `SELECT id::text, encode(block_hash, 'hex') AS hash FROM blocks WHERE height <= $1 ORDER BY height`,
        [height],
      )
      const last = chain.at(-1)?.id
      await expect.poll(() => held.some(({ id }) => id === last)).toBe(true)
      const from = chain.findIndex(({ id }) => id === held[0]?.id)
      expect(held.slice(0, chain.length - from).map(({ id, hash }) => ({ id, hash }))).toEqual(
        chain.slice(from),
      )
      close()
    },
  }
}

/** A graphql-ws client with its built-in reconnect. */
function subscribe() {
  const farewells: number[] = []
  let joined = 0
  const client = createClient({
    url: `${fleet.balancer.base.replace('http', 'ws')}/gql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${fleet.key}` },
    retryAttempts: 1_000,
    retryWait: () => new Promise((resolve) => setTimeout(resolve, 50)),
    on: {
      connected: () => {
        joined += 1
      },
      closed: (event) => void farewells.push((event as CloseEvent).code),
    },
  })
  client.subscribe(
    { query: 'subscription { beaconCreated { hash } }' },
    { next: () => undefined, error: () => undefined, complete: () => undefined },
  )
  // Ignores errors, because a connection that is being refused cannot be closed.
  opened.push({ close: () => Promise.resolve(client.dispose()).catch(() => undefined) })
  return { farewells, joined: () => joined }
}
