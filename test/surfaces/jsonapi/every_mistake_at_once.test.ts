// Everything that is wrong with a request is told in one answer, wherever it was found: nothing stays hidden beside others.
import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { askGraphql } from '../graphql/ask_graphql.ts'
import { errorsOf, refusals, resourceOf } from './documents.ts'
import { changeBody, claimsOf, itemBody } from './item_documents.ts'

const app = testApp()
let id = ''
beforeAll(async () => {
  id = resourceOf(await send('POST', '/api/json/items', itemBody({}).json), 201).id
})

const send = (method: string, path: string, json: unknown, headers: Record<string, string> = {}) =>
  ask(app.port, path, { method, key: app.owner.key, body: { json }, headers })
const AT = '/data/attributes'
const PAST = '2001-01-01T00:00:00Z'

describe('one answer', () => {
  it('tells of a create: attributes, a time that has passed, the query and the key', async () => {
    const answer = await send(
      'POST',
      '/api/json/items?include=nosuch&fields[item]=nosuch',
      itemBody({ claims: { ...claimsOf('n'), colour: 1 }, tags: ['a', 'a'], expires_at: PAST }).json,
      { 'Idempotency-Key': 'k'.repeat(256) },
    )
    expect(refusals(answer)).toEqual([
      '400 invalid_argument Idempotency-Key',
      `400 invalid_attribute ${AT}/claims/colour`,
      `400 invalid_attribute ${AT}/expires_at`,
      `400 invalid_attribute ${AT}/tags/1`,
      '400 invalid_field fields[item]',
      '400 invalid_includes include',
    ])
    const key = errorsOf(answer).find(({ source }) => source !== undefined && 'parameter' in source)
    expect(key).toBeDefined()
  })

  it('tells of a change: a team, a time and labels', async () => {
    const wrong = { team_id: '01a2ce8e-9320-7630-bb7f-73edc8868b1d', expires_at: PAST }
    const both = [`400 invalid_attribute ${AT}/expires_at`, `400 invalid_attribute ${AT}/team_id`]
    const path = `/api/json/items/${id}`
    expect(refusals(await send('PATCH', path, changeBody(wrong, { id }).json))).toEqual(both)
    expect(refusals(await send('PATCH', path, changeBody({ ...wrong, tags: [''] }, { id }).json))).toEqual([
      ...both.slice(0, 1),
      `400 invalid_attribute ${AT}/tags/0`,
      ...both.slice(1),
    ])
  })

  it('tells of every entry of a batch', async () => {
    const answer = await send('POST', '/api/json/items/batch', {
      data: { items: [{ claims: claimsOf('n'), visibility: 'secret', expires_at: PAST }] },
    })
    const { result } = answer.json() as { result: { items: { errors: { source: { pointer: string } }[] }[] } }
    expect(result.items[0]?.errors.map(({ source }) => source.pointer)).toEqual([
      '/data/items/0/visibility',
      '/data/items/0/expires_at',
    ])
  })

  it('tells the same on GraphQL', async () => {
    const claims = JSON.stringify({ ...claimsOf('n'), colour: 1 })
    const answer = await askGraphql(
      app.port,
      app.owner.key,
      'mutation($input: CreateItemInput!) { createItem(input: $input) { errors { code fields } } }',
      { variables: { input: { claims, tags: ['a', 'a'], expiresAt: PAST } } },
    )
    expect(answer.json()).toEqual({
      data: {
        createItem: {
          errors: [
            { code: 'invalid_attribute', fields: ['tags', '1'] },
            { code: 'invalid_attribute', fields: ['claims', 'colour'] },
            { code: 'invalid_attribute', fields: ['expiresAt'] },
          ],
        },
      },
    })
  })
})

describe('a batch', () => {
  it('is told of so many mistakes, and of one at least in every place', async () => {
    const bad = { tags: [''], ...Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`m${n}`, 0])) }
    const answer = await send('POST', '/api/json/items/batch', { data: { items: Array(100).fill(bad) } })
    const { result } = answer.json() as { result: { items: { errors: object[] }[] } }
    const counts = result.items.map(({ errors }) => errors.length)
    expect(counts.every((count) => count >= 1)).toBe(true)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(50 + 100)
  })
})

describe('jcs-canonicalize', () => {
  const failure = (message: RegExp) => ({
    ok: false,
    code: 'invalid',
    message: expect.stringMatching(message),
    retryable: false,
  })
  const WRONG: [string, RegExp][] = [
    ['[]', /must be an object/],
    ['"{}"', /must be an object/],
    ['5', /must be an object/],
    ['{"a":1,"a":2}', /duplicate member/],
    ['{"a":[{"b":1,"b":2}]}', /duplicate member/],
    ['{"a":"\\ud800"}', /surrogate/],
    ['{"a":1e400}', /too large/],
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, /too deep/],
  ]
  const call = (body: string) =>
    ask(app.port, '/api/json/utilities/jcs-canonicalize', {
      key: app.owner.key,
      body,
      headers: { 'Content-Type': 'application/json' },
    })

  it.each(WRONG)('answers %s with a failure object on both surfaces', async (json, message) => {
    const answer = await call(`{"data":{"json":${json}}}`)
    expect(answer.status, answer.text).toBe(201)
    expect(answer.json()).toEqual({ result: failure(message) })
    const query = 'query($json: JsonString) { jcsCanonicalize(json: $json) { result errors { code } } }'
    const told = await askGraphql(app.port, app.owner.key, query, { variables: { json } })
    const { data } = told.json() as { data: { jcsCanonicalize: { result: string; errors: object[] } } }
    expect(data.jcsCanonicalize.errors).toEqual([])
    expect(JSON.parse(data.jcsCanonicalize.result)).toEqual(failure(message))
  })

  it('refuses what is wrong elsewhere in the body, and a body that is no JSON', async () => {
    expect(refusals(await call('{"data":{"json":{}},"a":1,"a":2}'))).toEqual(['400 invalid_json'])
    expect(refusals(await call('{"data":{"json":{"a":1,"a":2}}'))).toEqual(['400 invalid_json'])
    expect(refusals(await call('{"data":{"json":[],"colour":1}}'))).toEqual(['400 invalid_body /data/colour'])
    expect(refusals(await call('{"data":{"json":null}}'))).toEqual(['400 required /data/json'])
  })
})
