// /metrics: who may read it, and that it tells what the service does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SOURCES } from '../../../server/domain/entropy/source.ts'
import { purposeNames } from '../../../server/store/purposes.ts'
import { COUNTED_EVENTS } from '../../../server/surfaces/console/session.ts'
import { accessToken } from '../../support/access_token.ts'
import { type AnsweringServer, openAnsweringServer } from '../../support/answering_server.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { nistAnswers } from '../../support/entropy_answers.ts'
import { ask, eventually } from '../../support/http.ts'

const REQUEST = 'request.answered'
const JSON_BODY = { 'Content-Type': 'application/json' }
const TOKEN = 'a-token-of-some-length'

let app: TestApp
let world: AnsweringServer

beforeAll(async () => {
  world = await openAnsweringServer()
  for (const [path, answer] of nistAnswers().answers) world.answers.set(path, answer)
  app = await openTestApp({
    entropy: [
      { source: SOURCES.nist, address: world.address },
      { source: SOURCES.stellar, address: world.address },
    ],
  })
})
afterAll(async () => {
  await app.close()
  await world.close()
})

/** The lines of one metric, without the comments. */
const read = async (name: string): Promise<string[]> => {
  const { text } = await ask(app.port, '/metrics')
  return text.split('\n').filter((line) => line.startsWith(name))
}

describe('what is told', () => {
  it('is Prometheus text with a HELP and a TYPE for everything', async () => {
    const { status, headers, text } = await ask(app.port, '/metrics')
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'no-store',
    ])
    for (const line of text.split('\n').filter((each) => each !== ''))
      expect(line).toMatch(
        /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [-+\d.eInfNa]+)$/,
      )
  })

  it('the height and age of the head, as they are now', async () => {
    await app.finalize(2)
    // Scrapes within a short time share one reading of the database.
    await eventually(
      async () => (await read('pharos_block_height'))[0] === 'pharos_block_height 2' || undefined,
    )
    const [age = ''] = await read('pharos_block_age_seconds')
    expect(Number(age.split(' ')[1])).toBeGreaterThanOrEqual(0)
  })

  it('requests by surface, class of status and type of credential, whatever their path', async () => {
    const { token, id } = await accessToken(app, {
      userId: app.owner.userId,
      scopes: ['api:read'],
      clientId: 'a-client',
    })
    await ask(app.port, '/api/json/beacons/latest', { key: app.owner.key })
    await ask(app.port, '/api/json/beacons/latest', { key: token })
    await ask(app.port, '/api/json/items', { method: 'POST', key: token })
    await ask(app.port, '/gql', { key: token, headers: JSON_BODY, body: '{"query":"{latestBeacon{id}}"}' })
    await ask(app.port, '/api/json/beacons/latest?x=1')
    await ask(app.port, '/api/json/beacons/latest', { key: 'wrong' })
    await ask(app.port, '/api/jsonp')
    await ask(app.port, '/health/live')
    await ask(app.port, '/gql', { method: 'POST', body: '{}' })
    const lines = await read('pharos_http_requests_total')
    for (const labels of [
      'surface="jsonapi",operation="latestBeacon",status="2xx",credential="api_key"',
      'surface="jsonapi",operation="latestBeacon",status="2xx",credential="access_token"',
      'surface="graphql",operation="latestBeacon",status="2xx",credential="access_token"',
      'surface="jsonapi",operation="createItem",status="4xx",credential="access_token"',
      'surface="jsonapi",operation="none",status="4xx",credential="refused"',
      'surface="jsonapi",operation="none",status="4xx",credential="none"',
      'surface="operations",operation="none",status="2xx",credential="none"',
      'surface="graphql",operation="none",status="4xx",credential="none"',
    ])
      expect(lines).toContainEqual(expect.stringMatching(`^pharos_http_requests_total\\{${labels}\\} [1-9]`))
    const refusals = await read('pharos_http_refusals_total')
    for (const labels of [
      'surface="jsonapi",credential="access_token",code="insufficient_scope"',
      'surface="jsonapi",credential="refused",code="unauthorized"',
      'surface="jsonapi",credential="none",code="unauthorized"',
    ])
      expect(refusals).toContainEqual(`pharos_http_refusals_total{${labels}} 1`)
    const logged = app.logged.filter(({ msg, credential_id }) => msg === REQUEST && credential_id === id)
    const who = {
      user_id: app.owner.userId,
      credential: 'access_token',
      credential_id: id,
      client_id: 'a-client',
    }
    expect(logged).toMatchObject([
      { ...who, operation: 'latestBeacon', status: 200 },
      {
        ...who,
        operation: 'createItem',
        status: 403,
        codes: ['insufficient_scope'],
        needed_scopes: ['api:write'],
      },
      { ...who, path: '/gql', status: 200 },
    ])
    expect(app.logged.filter(({ msg }) => msg === REQUEST)).toContainEqual(
      expect.objectContaining({ credential: 'refused', status: 401 }),
    )
    for (const secret of [token, app.owner.key, 'wrong'])
      expect(JSON.stringify(app.logged)).not.toContain(secret)
    expect(await read('pharos_http_request_seconds_count')).toContainEqual(expect.stringContaining('jsonapi'))
  })

  it('captures by source and outcome, and how long a source has been away', async () => {
    // At the turn of a minute each source is asked once more.
    const captured = (source: string, outcome: string) =>
      expect.stringMatching(
        new RegExp(`^pharos_entropy_captures_total\\{source="${source}",outcome="${outcome}"\\} [12]$`),
      )
    await expect
      .poll(() => read('pharos_entropy_captures_total'))
      .toEqual(
        expect.arrayContaining([
          captured('entropy_nist', 'recorded'),
          captured('entropy_stellar', 'bad_status'),
        ]),
      )
    const failing = await read('pharos_entropy_failing_seconds')
    expect(failing).toContain('pharos_entropy_failing_seconds{source="entropy_nist"} 0')
    expect(failing).toHaveLength(2)
    const [first, ...repeated] = app.logged.filter(({ msg }) => msg === 'entropy.left_out')
    expect(first).toMatchObject({ level: 'warn', source: 'entropy_stellar', outcome: 'bad_status' })
    for (const again of repeated) expect(again).toMatchObject({ level: 'debug', news: false })
  })

  it('epochs that are not confirmed, and open streams', async () => {
    expect(await read('pharos_commitments')).toEqual([
      'pharos_commitments{state="pending"} 0',
      'pharos_commitments{state="submitted"} 0',
      'pharos_commitments{state="failed"} 0',
    ])
    expect(await read('pharos_stream_connections')).toEqual([
      'pharos_stream_connections{stream="console"} 0',
      'pharos_stream_connections{stream="graphql"} 0',
    ])
    // Each event is told before it happens for the first time. Beacons are sent to a room where nobody is.
    expect(await read('pharos_console_stream_events_total')).toEqual(
      COUNTED_EVENTS.map((event) =>
        expect.stringMatching(`{event="${event}"} ${event === 'beacons_broadcast' ? '[0-9]+' : '0'}$`),
      ),
    )
  })

  it('queues, connections by purpose, and that the database answers', async () => {
    expect(await read('pharos_database_up')).toEqual(['pharos_database_up 1'])
    expect(await read('pharos_queue_age_seconds')).toEqual(
      ['deliveries', 'facts', 'jobs', 'items'].map((queue) => expect.stringContaining(`{queue="${queue}"} `)),
    )
    const connections = await read('pharos_database_connections{')
    expect(connections).toHaveLength(2 * purposeNames.length)
    for (const purpose of purposeNames)
      expect(connections).toContainEqual(expect.stringMatching(`purpose="${purpose}",state="in_use"\\} \\d`))
  })

  it('no label is what a client wrote: strange requests make no series', async () => {
    const { userId } = app.owner
    const { token } = await accessToken(app, { userId, scopes: ['mcp:read'], resource: 'mcp' })
    const strange = async (round: number): Promise<void> => {
      const name = `strange${round}`
      const posted = (body: unknown) => ({
        key: app.owner.key,
        headers: JSON_BODY,
        body: JSON.stringify(body),
      })
      await ask(app.port, `/${name}`)
      await ask(app.port, `/api/json/${name}?${name}=1`, { key: app.owner.key })
      await ask(app.port, `/oauth/${name}`)
      await ask(app.port, '/gql', posted({ query: `query ${name} { ${name}: latestBeacon { id } }` }))
      await ask(app.port, '/gql', posted({ query: `{ ${name} }` }))
      const asAgent = (body: object) => ({ ...posted({ jsonrpc: '2.0', id: 1, ...body }), key: token })
      await ask(app.port, '/mcp', asAgent({ method: name }))
      const call = { name, arguments: {} }
      expect((await ask(app.port, '/mcp', asAgent({ method: 'tools/call', params: call }))).status).toBe(200)
    }
    const seriesNow = async () => (await read('pharos_')).map((line) => line.replace(/ \S+$/, ''))
    await strange(1)
    const known = await seriesNow()
    await strange(2)
    const added = (await seriesNow()).filter((series) => !known.includes(series))
    expect([...added, ...known].filter((series) => /strange/.test(series))).toEqual([])
    expect(added.filter((series) => /^pharos_(http|tool|oauth|stream|script)/.test(series))).toEqual([])
  })

  it('readiness tells of the sources too, and a source that is away does not make the service unready', async () => {
    const { status, json } = await ask(app.port, '/health/ready')
    expect(status).toBe(200)
    expect(json()).toMatchObject({
      ready: true,
      entropy: [
        { source: 'entropy_nist', state: 'answering' },
        { source: 'entropy_stellar', state: 'failing', failure: 'bad_status' },
      ],
    })
  })
})

describe('who may read', () => {
  it('anybody while the service listens on a loopback address only; nobody writes', async () => {
    expect((await ask(app.port, '/metrics', { method: 'HEAD' })).status).toBe(200)
    expect((await ask(app.port, '/metrics', { method: 'POST' })).status).toBe(404)
  })

  it.each([
    ['127.0.0.1', 'also there when it is set'],
    ['0.0.0.0', 'elsewhere'],
  ])('on %s only whoever has the token, %s', async (host) => {
    const guarded = await openTestApp({ beside: app, host, metricsToken: TOKEN })
    const status = async (authorization?: string) =>
      (await ask(guarded.port, '/metrics', authorization === undefined ? {} : { headers: { authorization } }))
        .status
    expect(await status(`Bearer ${TOKEN}`)).toBe(200)
    expect(await status(`bearer ${TOKEN}`)).toBe(200)
    for (const wrong of [
      undefined,
      '',
      TOKEN,
      `Basic ${TOKEN}`,
      `Bearer ${TOKEN}x`,
      'Bearer',
      `Bearer ${app.owner.key}`,
    ])
      expect(await status(wrong), wrong).toBe(401)
    const { headers, text } = await ask(guarded.port, '/metrics')
    expect([headers['www-authenticate'], text]).toEqual(['Bearer', 'Unauthorized'])
    await guarded.close()
  })

  it('nobody at all where it listens elsewhere and no token is set', async () => {
    const closed = await openTestApp({ beside: app, host: '0.0.0.0' })
    for (const headers of [{}, { authorization: 'Bearer undefined' }, { authorization: 'Bearer ' }])
      expect((await ask(closed.port, '/metrics', { headers })).status).toBe(401)
    await closed.close()
  })
})
