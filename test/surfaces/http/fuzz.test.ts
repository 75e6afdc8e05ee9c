// A few thousand requests nobody would write: never a 5xx, always the documented shape of an error, nothing in the fault log.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Ask, ask } from '../../support/http.ts'
import { sizeOf } from '../../support/sizes.ts'
import { testApp } from '../../support/test_app.ts'
import { graphqlOf } from '../graphql/ask_graphql.ts'
import { errorsOf } from '../jsonapi/documents.ts'
import { itemBody } from '../jsonapi/item_documents.ts'

const app = testApp()
let cursor = ''
beforeAll(async () => {
  await app.finalize(3)
  const list = await ask(app.port, '/api/json/beacons?page[limit]=1', { key: app.owner.key })
  cursor = /page%5Bafter%5D=([\w-]+)/.exec(list.text)?.[1] ?? ''
})
afterAll(async () => {
  expect(app.logged.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([])
})

/** Printable ASCII without space and `#`, and every percent-encoded byte. */
const wild = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...'abcxyz019-_.~[]{}()\'"\\|^`<>;:@!$,*+=&?') },
      { weight: 2, arbitrary: fc.nat({ max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`) },
      fc.constantFrom('%', '%0', '%zz', '..', '//', '%u0000', '%c0%af', '%ed%a0%80', '%f0%9f%92%a9', '/'),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''))

const path = fc.oneof(
  fc.constantFrom('/beacons', '/beacons/latest', '/items', '/blocks', '/teams', '/users/me', ''),
  wild.map((text) => `/beacons/${text}`),
  wild.map((text) => `/beacons/by-hash/${text}`),
  wild.map((text) => `/items/${text}`),
  wild.map((text) => `/blocks/${text}`),
  wild.map((text) => `/teams/${text}`),
  wild.map((text) => `/${text}`),
)
const name = fc.oneof(
  fc.constantFrom(
    'page[limit]',
    'page[after]',
    'page[before]',
    'page[offset]',
    'page[count]',
    'sort',
    'tenant',
    'page',
    'page[]',
    'filter[x]',
    'include',
    'fields[item]',
    '__proto__',
    'page[limit][]',
    'page[__proto__]',
  ),
  wild,
)
const value = fc.oneof(
  fc.constantFrom('0', '1', '-1', '250', '1e9', 'true', 'id', '-id', '', '9'.repeat(40)),
  wild,
  fc.constant('CURSOR'),
)
const query = fc
  .array(fc.tuple(name, value), { maxLength: 4 })
  .map((pairs) => pairs.map(([one, other]) => `${one}=${other}`).join('&'))

const mediaType = fc.constantFrom(
  'application/vnd.api+json',
  'application/json',
  'application/vnd.api+json;ext=x',
  'application/vnd.api+json; profile="a,b"',
  'text/plain',
  '*/*',
  '',
  ';',
  '"',
  'a/b;q=',
  'application/vnd.api+json;q=0',
)
const headers = fc.record(
  {
    Accept: mediaType,
    'Content-Type': mediaType,
    Tenant: fc.constantFrom('', 'x', '01a2ce8e-9320-7630-bb7f-73edc8868b1d', "'", '\u00ff'),
    'If-None-Match': fc.constantFrom('*', '"x"', 'W/"x"', ',', '"', ''),
    'X-Forwarded-For': fc.constantFrom('1.2.3.4', 'x', ',,,'),
    Expect: fc.constant('100-continue'),
    Origin: fc.constantFrom('null', 'x'),
  },
  { requiredKeys: [] },
)

const json = fc.oneof(
  fc.json(),
  fc.object({ maxDepth: 3 }).map((attributes) => JSON.stringify({ data: { type: 'item', attributes } })),
  fc
    .object({ maxDepth: 4 })
    .map((claims) => JSON.stringify({ data: { type: 'item', attributes: { claims } } })),
  fc
    .record({
      name: fc.string({ unit: 'binary', maxLength: 70 }),
      description: fc.string({ unit: 'binary', maxLength: 300 }),
      metadata: fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { maxKeys: 4 }),
    })
    .chain((claims) =>
      fc
        .array(fc.string({ unit: 'binary', maxLength: 70 }), { maxLength: 4 })
        .map((tags) => JSON.stringify(itemBody({ claims, tags }).json)),
    ),
)
const body = fc.oneof(
  json,
  fc
    .tuple(json, fc.nat({ max: 200 }), fc.string({ maxLength: 3 }))
    .map(([text, at, put]) => text.slice(0, at) + put + text.slice(at + 1)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
)

const known = new Set([200, 201, 304, 400, 401, 403, 404, 405, 406, 409, 411, 413, 415])

function expectJsonApi(answer: Answer, method: string): void {
  expect(known).toContain(answer.status)
  if (answer.status >= 400 && method !== 'HEAD') errorsOf(answer)
}

describe('anything at all', () => {
  const send = (target: string, parts: Ask) =>
    ask(app.port, target.replaceAll('CURSOR', cursor), { key: app.owner.key, ...parts })
  /** Several at a time, so that a slow machine is not what ends the test. */
  const PER_RUN = 16

  it('in paths, parameters and headers is answered below 500, in the documented shape', async () => {
    const method = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(method, path, query, headers), { minLength: PER_RUN, maxLength: PER_RUN }),
        async (requests) => {
          await Promise.all(
            requests.map(async ([verb, at, parameters, given]) => {
              // The path stays within the surface; what is beside it answers pages.
              const target = `/api/json${at.replaceAll('?', '')}?${parameters}`
              expectJsonApi(await send(target, { method: verb, headers: given }), verb)
            }),
          )
        },
      ),
      { numRuns: sizeOf('fuzz_runs'), interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false },
    )
  })

  it('in bodies is answered below 500, in the documented shape', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), body, fc.boolean()), { minLength: PER_RUN, maxLength: PER_RUN }),
        async (requests) => {
          await Promise.all(
            requests.map(async ([creates, bytes, chunked]) => {
              const answer = await send(
                creates ? '/api/json/items' : '/api/json/items/01MB78W7FGY7TZHKNWE7WA3Z57',
                {
                  method: creates ? 'POST' : 'PATCH',
                  headers: { 'Content-Type': 'application/vnd.api+json' },
                  body: chunked ? [Buffer.from(bytes)] : bytes,
                },
              )
              expectJsonApi(answer, 'POST')
            }),
          )
        },
      ),
      { numRuns: sizeOf('fuzz_runs'), interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false },
    )
  })

  it('asked of GraphQL is answered below 500, in the documented shape', async () => {
    const word = fc.constantFrom(
      '{',
      '}',
      '(',
      ')',
      'beacon',
      'beacons',
      'latestBeacon',
      'id',
      'hash',
      ':',
      '"x"',
      '$v',
      '...',
      'on',
      'query',
      'mutation',
      'subscription',
      'fragment',
      '@skip(if:true)',
      '[',
      ']',
      '"\\u0000"',
      '__typename',
      '"""',
      '#',
      '1e999',
    )
    const text = fc.array(word, { maxLength: 25 }).map((words) => words.join(' '))
    const request = fc.oneof(
      fc.record({ query: text, variables: fc.jsonValue() }).map((parts) => JSON.stringify(parts)),
      fc.record({ query: text }).map((parts) => JSON.stringify(parts)),
      body,
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(request, fc.boolean()), { minLength: PER_RUN, maxLength: PER_RUN }),
        async (requests) => {
          await Promise.all(
            requests.map(async ([bytes, over]) => {
              const answer = over
                ? await send(`/gql?query=${encodeURIComponent(bytes.toString().toWellFormed())}`, {})
                : await send('/gql', { headers: { 'Content-Type': 'application/json' }, body: bytes })
              expect([200, 400, 405]).toContain(answer.status)
              const { errors } = graphqlOf(answer, answer.status)
              for (const { extensions } of errors ?? []) expect(extensions.code).not.toBe('internal')
            }),
          )
        },
      ),
      { numRuns: sizeOf('fuzz_runs'), interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false },
    )
  })
})
