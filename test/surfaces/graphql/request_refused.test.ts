// GraphQL requests that are refused: bodies, credentials and tenants, each with a code in the shape of GraphQL.
import { afterAll, describe, expect, it } from 'vitest'
import { type Ask, ask, openWire } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { askGraphql, codesOf, graphqlOf } from './ask_graphql.ts'

const app = testApp()
afterAll(async () => {
  // Nothing a client did wrong is logged as a fault of ours.
  expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
})

const QUERY = '{ latestBeacon { hash } }'
const send = (parts: Ask) => ask(app.port, '/gql', { key: app.owner.key, ...parts })
const post = (body: string | Uint8Array, headers: Ask['headers'] = {}) =>
  send({ body, headers: { 'Content-Type': 'application/json', ...headers } })

describe('bodies', () => {
  it.each([
    '',
    '{',
    '{"query":"a","query":"b"}',
    '{"query":"\\ud800"}',
    '{"variables":{"n":1e999},"query":"{x}"}',
    '['.repeat(100_000),
  ])('that the strict reader refuses are 400 invalid_json: %.40s', async (body) => {
    expect(codesOf(await post(body), 400)).toEqual(['invalid_json'])
  })

  it('refuses bytes that are not UTF-8', async () => {
    expect(codesOf(await post(Buffer.from([0x22, 0xff, 0x22])), 400)).toEqual(['invalid_json'])
  })

  it.each([
    {},
    [],
    'x',
    null,
    5,
    { query: 5 },
    { query: null },
    { query: ['{x}'] },
    { query: QUERY, variables: [] },
    { query: QUERY, variables: 'x' },
    { query: QUERY, operationName: 5 },
    { query: QUERY, extensions: 5 },
  ])('that are no request are 400 invalid_argument: %j', async (body) => {
    expect(codesOf(await post(JSON.stringify(body)), 400)).toEqual(['invalid_argument'])
  })

  it('takes __proto__ and constructor for the names they are', async () => {
    const answer = await post(`{"query":"${QUERY}","__proto__":{"query":"{x}"},"constructor":1}`)
    expect(graphqlOf(answer).errors).toBeUndefined()
    expect(codesOf(await post(JSON.stringify({ query: '{ constructor }' })))).toEqual(['invalid_argument'])
    expect(codesOf(await post(JSON.stringify({ query: QUERY, operationName: '__proto__' })))).toEqual([
      'invalid_argument',
    ])
  })

  it('ends a query that would take long to parse or validate, quickly', async () => {
    const began = performance.now()
    for (const query of [
      '{a'.repeat(150_000),
      `{${'latestBeacon{hash} '.repeat(25_000)}}`,
      `{x(y:${'['.repeat(200_000)}`,
      `query(${'$a:Int '.repeat(50_000)}){x}`,
      `{${'...F '.repeat(60_000)}} fragment F on RootQueryType{...F}`,
    ])
      expect(codesOf(await post(JSON.stringify({ query })))).toEqual(['query_too_expensive'])
    expect(performance.now() - began).toBeLessThan(20_000)
  })

  it('over the limit are 413 with meta.max_bytes, and the connection is closed', async () => {
    const answer = await post(JSON.stringify({ query: QUERY, extensions: { x: 'x'.repeat(528_384) } }))
    expect(graphqlOf(answer, 413).errors?.[0]?.extensions).toMatchObject({
      code: 'request_too_large',
      meta: { max_bytes: 528_384 },
    })
    expect(answer.headers.connection).toBe('close')
    const wire = await openWire(app.port)
    wire.write(
      `POST /gql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.owner.key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    for (let sent = 0; sent < 9; sent += 1) wire.write(chunk)
    expect(await wire.ended).toMatch(/^HTTP\/1\.1 413 [\s\S]*request_too_large/)
  })
})

describe('credentials and tenants', () => {
  it('answers 401 in the shape of GraphQL, with WWW-Authenticate', async () => {
    for (const headers of [{}, { Authorization: 'Bearer' }, { Authorization: 'Basic eDp5' }]) {
      const answer = await ask(app.port, '/gql', { headers, body: '{}' })
      expect(codesOf(answer, 401)).toEqual(['unauthorized'])
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer/)
    }
  })

  it('answers 401 before 405, and 413 before 401', async () => {
    expect(codesOf(await ask(app.port, '/gql', { method: 'PUT' }), 401)).toEqual(['unauthorized'])
    expect(codesOf(await ask(app.port, '/gql', { body: 'x'.repeat(528_385) }), 413)).toEqual([
      'request_too_large',
    ])
  })

  it('takes the tenant from header or parameter, and refuses a foreign one and two that differ', async () => {
    const stranger = await app.account('mallory')
    const ok = await askGraphql(app.port, app.owner.key, QUERY, { headers: { tenant: app.owner.teamId } })
    expect(graphqlOf(ok).errors).toBeUndefined()
    const foreign = await askGraphql(app.port, app.owner.key, QUERY, { headers: { tenant: stranger.teamId } })
    expect(codesOf(foreign, 403)).toEqual(['forbidden_tenant'])
    const both = await ask(app.port, `/gql?tenant=${stranger.teamId}`, {
      key: app.owner.key,
      headers: { tenant: app.owner.teamId },
    })
    expect(codesOf(both, 400)).toEqual(['invalid_tenant tenant'])
  })
})
