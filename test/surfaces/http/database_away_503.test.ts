// The database goes away and comes back: every route says so with a code, live stays live, and nothing needs a restart.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { type Answer, type Ask, ask, eventually } from '../../support/http.ts'
import { codesOf } from '../graphql/ask_graphql.ts'
import { beaconOf, pageOf, refusals, resourceOf } from '../jsonapi/documents.ts'
import { itemBody } from '../jsonapi/item_documents.ts'
import { type DatabaseGate, openDatabaseGate } from './database_gate.ts'

let app: TestApp
let gate: DatabaseGate
let name = ''
beforeAll(async () => {
  gate = await openDatabaseGate()
  app = await openTestApp({ through: gate.through })
  name = new URL(app.database.url).pathname.slice(1)
})
afterAll(async () => {
  await gate.open()
  await app.close()
  await gate.shut()
})

const allowConnections = (allowed: boolean) =>
  app.database.maintain(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${allowed}`)
const cutConnections = () =>
  app.database.maintain('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])

const requests = (): [string, Ask][] => [
  ['/api/json/beacons', {}],
  ['/api/json/beacons/latest', {}],
  ['/api/json/beacons/01a2ce8e-9320-7630-bb7f-73edc8868b1d', {}],
  [`/api/json/beacons/by-hash/${'0'.repeat(64)}`, {}],
  ['/api/json/items', {}],
  ['/api/json/items/x', {}],
  ['/api/json/items', { body: itemBody() }],
  ['/api/json/items/x', { method: 'PATCH', body: { json: { data: { type: 'item', attributes: {} } } } }],
  ['/api/json/blocks', {}],
  ['/api/json/blocks/x', {}],
  ['/api/json/teams', {}],
  ['/api/json/teams/x', {}],
  ['/api/json/users/me', {}],
]
const asked = (path: string, parts: Ask) => ask(app.port, path, { key: app.owner.key, ...parts })

it('while the database is away every route is 503 database_unavailable with Retry-After; then all recover', async () => {
  beaconOf(await asked('/api/json/beacons/latest', {}))
  for (let round = 0; round < 2; round += 1) {
    await gate.shut()
    await eventually(async () => ((await ask(app.port, '/health/ready')).status === 503 ? true : undefined))
    const answers: Answer[] = []
    for (const [path, parts] of requests()) answers.push(await asked(path, parts))
    for (const answer of answers) {
      expect(refusals(answer)).toEqual(['503 database_unavailable'])
      expect(answer.headers['retry-after']).toMatch(/^\d+$/)
    }
    const query = await asked('/gql', {
      body: '{"query":"{beacons{id}}"}',
      headers: { 'Content-Type': 'application/json' },
    })
    expect(codesOf(query, 503)).toEqual(['database_unavailable'])
    expect(query.headers['retry-after']).toMatch(/^\d+$/)
    expect((await ask(app.port, '/health/ready')).json()).toEqual({ ready: false, database: 'unavailable' })
    expect((await ask(app.port, '/health/live')).status).toBe(200)
    // The metrics say so, without what the database would tell, and with everything else.
    const metrics = await eventually(async () => {
      const { text } = await ask(app.port, '/metrics')
      return text.includes('\npharos_database_up 0\n') ? text : undefined
    })
    expect(metrics).not.toMatch(/^pharos_(block_height|queue_age_seconds)/m)
    expect(metrics).toMatch(/^pharos_http_requests_total\{.*status="5xx"/m)
    // What needs no database is judged as ever.
    expect(refusals(await ask(app.port, '/api/json/beacons'))).toEqual(['401 unauthorized'])

    await gate.open()
    await eventually(async () => ((await ask(app.port, '/health/ready')).status === 200 ? true : undefined))
    pageOf(await asked('/api/json/beacons', {}))
    resourceOf(await asked('/api/json/items', { body: itemBody() }), 201)
    resourceOf(await asked('/api/json/users/me', {}))
  }
  await eventually(async () => {
    const { text } = await ask(app.port, '/health/ready')
    return text.includes('"notices":"arriving"') ? true : undefined
  })
})

it('connections that are cut once cost at most the requests under way', async () => {
  await cutConnections()
  const answers = await Promise.all(requests().map(([path, parts]) => asked(path, parts)))
  for (const answer of answers) expect([200, 201, 404, 503]).toContain(answer.status)
  await eventually(async () => ((await asked('/api/json/beacons', {})).status === 200 ? true : undefined))
})

it('a database that accepts no connections is unavailable, not a fault of ours', async () => {
  await allowConnections(false)
  try {
    await cutConnections()
    // Until the end of the connection for notices is seen, the newest beacon is known without the database.
    await eventually(async () => ((await asked('/api/json/beacons', {})).status === 503 ? true : undefined))
    // More often than there are connections in the pool: the first ones only find out that theirs was cut.
    for (let asks = 0; asks < 20; asks += 1)
      expect(refusals(await asked('/api/json/beacons', {}))).toEqual(['503 database_unavailable'])
  } finally {
    await allowConnections(true)
  }
})
