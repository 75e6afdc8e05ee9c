// GraphQL over HTTP: both media types, and the methods that are answered.
import { afterAll, describe, expect, it } from 'vitest'
import { type Ask, ask, openWire } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { codesOf, graphqlOf } from './ask_graphql.ts'

const app = testApp()
afterAll(async () => {
  // Nothing a client did wrong is logged as a fault of ours.
  expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
})

const QUERY = '{ latestBeacon { hash } }'
const RESPONSE_JSON = 'application/graphql-response+json'
const send = (parts: Ask) => ask(app.port, '/gql', { key: app.owner.key, ...parts })
const post = (body: string | Uint8Array, headers: Ask['headers'] = {}) =>
  send({ body, headers: { 'Content-Type': 'application/json', ...headers } })
const get = (query: string, parts: Ask = {}) =>
  ask(app.port, `/gql${query}`, { key: app.owner.key, ...parts })

describe('media types', () => {
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
    ['application/json', 'application/json'],
    [RESPONSE_JSON, RESPONSE_JSON],
    [`${RESPONSE_JSON}; charset=utf-8, application/json;q=0.9`, RESPONSE_JSON],
    [`text/html, ${RESPONSE_JSON};q=0.5`, RESPONSE_JSON],
  ])('Accept %j is answered as %s', async (accept, type) => {
    const answer = await post(
      JSON.stringify({ query: QUERY }),
      accept === undefined ? {} : { Accept: accept },
    )
    expect(answer.headers).toMatchObject({ 'content-type': `${type}; charset=utf-8`, vary: 'Accept' })
    expect(graphqlOf(answer).data).toBeDefined()
  })

  it('answers 406 when neither is accepted', async () => {
    expect(codesOf(await post(JSON.stringify({ query: QUERY }), { Accept: 'text/html' }), 406)).toEqual([
      'not_acceptable',
    ])
  })

  it.each([
    'text/plain',
    'application/graphql',
    'application/x-www-form-urlencoded',
    'application/vnd.api+json',
    'x',
  ])('answers 415 to a body of %s', async (type) => {
    expect(codesOf(await post(JSON.stringify({ query: QUERY }), { 'Content-Type': type }), 415)).toEqual([
      'unsupported_media_type',
    ])
  })

  it('answers 415 to a body without a type', async () => {
    expect(codesOf(await send({ body: JSON.stringify({ query: QUERY }) }), 415)).toEqual([
      'unsupported_media_type',
    ])
  })

  it('gives a query that does not parse or validate 400 as graphql-response+json, 200 as json', async () => {
    for (const query of ['{', '{ nothing }', '', 'mutation', '{ latestBeacon }']) {
      const body = JSON.stringify({ query })
      expect(codesOf(await post(body, { Accept: RESPONSE_JSON }), 400)).toEqual(['invalid_argument'])
      const answer = await post(body, { Accept: 'application/json' })
      expect(codesOf(answer, 200)).toEqual(['invalid_argument'])
      expect(graphqlOf(answer).data).toBeUndefined()
    }
  })

  it('tells where a query is wrong', async () => {
    const { errors } = graphqlOf(await post(JSON.stringify({ query: '{\n  nothing }' })))
    expect(errors?.[0]?.locations).toEqual([{ line: 2, column: 3 }])
    const syntax = graphqlOf(await post(JSON.stringify({ query: '{\n  x(' })))
    expect(syntax.errors?.[0]?.locations).toHaveLength(1)
  })
})

describe('methods', () => {
  it('answers queries over GET, with variables and an operation name', async () => {
    const text = encodeURIComponent(
      'query A { a: __typename } query B($id: String!) { beacon(id: $id) { id } }',
    )
    const variables = encodeURIComponent('{"id":"x"}')
    const answer = await get(`?query=${text}&operationName=B&variables=${variables}`)
    expect(graphqlOf(answer).data).toEqual({ beacon: null })
    expect(graphqlOf(await get(`?query=${encodeURIComponent(QUERY)}`)).data).toMatchObject({
      latestBeacon: { hash: expect.any(String) },
    })
  })

  it('answers HEAD as GET, without the body', async () => {
    const query = `?query=${encodeURIComponent(QUERY)}`
    const [whole, bare] = [await get(query), await get(query, { method: 'HEAD' })]
    expect([bare.status, bare.text]).toEqual([200, ''])
    expect(bare.headers['content-length']).toBe(whole.headers['content-length'])
    expect(bare.headers['content-type']).toBe(whole.headers['content-type'])
  })

  it.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])('answers 405 to %s, with Allow', async (method) => {
    const answer = await get('', { method })
    expect(codesOf(answer, 405)).toEqual(['method_not_allowed'])
    expect(answer.headers.allow).toBe('GET, HEAD, POST')
  })

  it('runs no mutation over GET', async () => {
    const answer = await get(`?query=${encodeURIComponent('mutation { x }')}`)
    expect(codesOf(answer, 405)).toEqual(['method_not_allowed'])
    expect(answer.headers.allow).toBe('POST')
  })

  it('serves no page', async () => {
    const answer = await get('', { headers: { Accept: 'text/html,application/xhtml+xml' } })
    expect(answer.status).toBe(406)
    expect(answer.headers['content-type']).toMatch(/json/)
  })
})

it('answers requests that arrive together, or in pieces, each once and in their order', async () => {
  const wire = await openWire(app.port)
  const requests = Array.from({ length: 20 }, (_, n) => {
    const body = JSON.stringify({ query: `{ number${n}: __typename }` })
    const head = `POST /gql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.owner.key}\r\nContent-Type: application/json`
    return `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  })
  const [first = '', ...others] = requests
  wire.write(first.slice(0, -10))
  wire.write(first.slice(-10) + others.join(''))
  const text = await wire.until((got) => got.match(/RootQueryType/g)?.length === requests.length)
  expect([...text.matchAll(/"number(\d+)"/g)].map(([, n]) => Number(n))).toEqual(requests.map((_, n) => n))
  wire.socket.destroy()
})
