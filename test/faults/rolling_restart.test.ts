// Servers behind a balancer are restarted one after the other: no request fails, no beacon is missed, every
// socket reconnects.
import { createClient } from 'graphql-ws'
import { afterEach, beforeEach, expect, it } from 'vitest'
import WebSocket from 'ws'
import { openTestApp, type TestApp } from '../support/app.ts'
import { type Balancer, openBalancer } from '../support/balancer.ts'
import { followBeacons } from '../support/beacon_follower.ts'
import { ASKS, type Lane, openLane } from '../support/keep_alive_lane.ts'
import { sizeOf } from '../support/sizes.ts'

const RESTARTS = sizeOf('restarts')
const LANES = 12

let home: TestApp
const opened: { close: () => unknown }[] = []
beforeEach(async () => {
  home = await openTestApp()
})
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
  await home.close()
})

const lane = (port: number): Lane => {
  const made = openLane(port, home.owner.key)
  opened.push(made)
  return made
}

it(`a fleet behind a balancer that reads /health/ready breaks no request and loses no beacon in ${RESTARTS} restarts under load`, {
  timeout: 600_000,
}, async () => {
  const places = await Promise.all([openTestApp({ beside: home }), openTestApp({ beside: home })])
  const ports = places.map(({ port }) => port)
  const balancer = await openBalancer(ports)
  opened.push(...places, balancer)
  await expect.poll(() => balancer.taking().length).toBe(2)

  let over = false
  const answers = new Map<string, number>()
  const note = (words: string) => answers.set(words, (answers.get(words) ?? 0) + 1)
  const turns = Array.from({ length: LANES }, () => 0)
  const load = turns.map(async (_, index) => {
    const { ask } = lane(balancer.port)
    for (let turn = 0; !over; turn += 1) {
      turns[index] = turn
      const [method, path, body] = ASKS[(index + turn) % ASKS.length] ?? ASKS[0]
      await ask(method, path, body).then(
        ({ status }) => note(`${method} ${path} ${status}`),
        (error: Error) => note(`${method} ${path} ${error.message}`),
      )
    }
  })
  const follower = followBeacons(balancer.base, home.owner.key)
  opened.push(follower)
  const subscriber = subscribe(balancer)
  await expect.poll(() => Math.min(follower.joined(), subscriber.joined())).toBeGreaterThan(0)
  const blocks = setInterval(() => void home.finalize().catch(() => undefined), 100)
  opened.push({ close: () => clearInterval(blocks) })

  for (let restart = 0; restart < RESTARTS; restart += 1) {
    const place = restart % 2
    const leaving = places[place]
    leaving?.withdraw()
    await expect.poll(balancer.taking).not.toContain(ports[place])
    // Two answers later each client has been told to leave the server, and has left it.
    const before = [...turns]
    const fewest = () => Math.min(...turns.map((turn, index) => turn - (before[index] ?? 0)))
    await expect.poll(fewest).toBeGreaterThanOrEqual(2)
    await leaving?.close()
    const fresh = await openTestApp({ beside: home, port: ports[place] ?? 0 })
    places[place] = fresh
    opened.push(fresh)
    await expect.poll(() => balancer.taking().length).toBe(2)
  }
  over = true
  await Promise.all(load)
  clearInterval(blocks)

  expect([...answers.keys()].toSorted()).toEqual([
    'GET /api/json/beacons/latest 200',
    'POST /api/json/items 201',
    'POST /gql 200',
  ])
  const [{ items } = { items: 0 }] = await home.query<{ items: number }>(
    'SELECT count(*)::integer AS items FROM items',
  )
  expect(items).toBe(answers.get('POST /api/json/items 201'))

  expect(follower.joined()).toBeGreaterThan(1)
  const [head] = await home.query<{ id: string }>('SELECT id FROM blocks ORDER BY height DESC LIMIT 1')
  // Another block may have been made since.
  await expect.poll(() => follower.held.some(({ id }) => id === head?.id)).toBe(true)
  for (const [index, { previous_hash }] of follower.held.entries())
    if (index > 0) expect(previous_hash).toBe(follower.held[index - 1]?.hash)

  expect(subscriber.joined()).toBeGreaterThan(1)
  expect(new Set(subscriber.farewells)).toEqual(new Set([1001]))
})

/** A graphql-ws client with its built-in reconnect. */
function subscribe({ base }: Balancer) {
  const farewells: number[] = []
  let joined = 0
  const client = createClient({
    url: `${base.replace('http', 'ws')}/gql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${home.owner.key}` },
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
