// Verbs: known paths with another verb are 405 with Allow, unknown paths 404, and HEAD is GET without a body everywhere.
import { beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { refusals, resourceOf, withoutIds } from './documents.ts'
import { itemBody } from './item_documents.ts'

const app = testApp()
let item = ''
let block = ''
let hash = ''
beforeAll(async () => {
  await app.finalize(2)
  item = resourceOf(await ask(app.port, '/api/json/items', { key: app.owner.key, body: itemBody() }), 201).id
  const [row] = await app.query<{ id: string; hash: string }>(
    `SELECT id, encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC LIMIT 1`,
  )
  block = row?.id ?? ''
  hash = row?.hash ?? ''
})

const asked = (path: string, method = 'GET') =>
  ask(app.port, `/api/json${path}`, { key: app.owner.key, method })

describe('405 method_not_allowed', () => {
  it.each([
    ['/beacons', ['POST', 'PATCH', 'PUT', 'DELETE'], 'GET, HEAD'],
    ['/beacons/latest', ['POST', 'PATCH', 'DELETE'], 'GET, HEAD'],
    ['/beacons/x', ['POST', 'PATCH', 'DELETE'], 'GET, HEAD'],
    ['/beacons/by-hash/x', ['POST', 'DELETE'], 'GET, HEAD'],
    ['/items', ['PUT', 'PATCH', 'DELETE', 'PROPFIND', 'TRACE'], 'GET, HEAD, POST'],
    ['/items/x', ['POST', 'PUT', 'DELETE'], 'GET, HEAD, PATCH'],
    ['/blocks', ['POST', 'DELETE'], 'GET, HEAD'],
    ['/blocks/x', ['PATCH', 'DELETE'], 'GET, HEAD'],
    ['/teams/x', ['PUT'], 'GET, HEAD, PATCH'],
    ['/users/me', ['POST', 'PUT'], 'GET, HEAD'],
  ])('at %s for %j, with Allow: %s', async (path, methods, allow) => {
    for (const method of methods) {
      const answer = await asked(path, method)
      expect(refusals(answer)).toEqual(['405 method_not_allowed'])
      expect(answer.headers.allow).toBe(allow)
    }
  })
})

describe('404 no_route_found', () => {
  it('at every unknown path, for every verb, with one body', async () => {
    const first = await asked('/nothing')
    for (const path of [
      '',
      '/',
      '/nothing',
      '/items/',
      '/items/x/y',
      '/beacons/by-hash/',
      '/beacons/by-hash/x/y',
      '/Beacons',
      '/be%61cons',
      '//beacons',
      '/../health/live',
      '/items%2Fx',
    ])
      for (const method of ['GET', 'POST', 'DELETE']) {
        const answer = await asked(path, method)
        expect(refusals(answer), `${method} ${path}`).toEqual(['404 no_route_found'])
        expect(withoutIds(answer)).toEqual(withoutIds(first))
      }
  })
})

describe('HEAD', () => {
  it('answers as GET without a body on every GET there is, errors too', async () => {
    const paths = [
      '/beacons',
      '/beacons?page[limit]=0',
      '/beacons/latest',
      `/beacons/${block}`,
      `/beacons/by-hash/${hash}`,
      '/beacons/x',
    ]
    for (const path of [
      ...paths,
      '/items',
      `/items/${item}`,
      '/items/x',
      '/blocks',
      `/blocks/${block}`,
      '/teams',
      `/teams/${app.owner.teamId}`,
      '/users/me',
      '/nothing',
    ]) {
      const [whole, bare] = [await asked(path), await asked(path, 'HEAD')]
      expect([bare.status, bare.text], path).toEqual([whole.status, ''])
      expect(comparable(bare.headers), path).toEqual(comparable(whole.headers))
    }
  })

  /** Each request has its own time and its own id. */
  const comparable = ({ date: _, 'x-request-id': __, ...headers }: Readonly<Record<string, string>>) =>
    headers
})
