// `detail` never echoes input: wherever a marker is put, no detail contains it.
import { expect, it } from 'vitest'
import { type Ask, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { errorsOf } from './documents.ts'
import { changeBody, itemBody } from './item_documents.ts'

const app = testApp()

const M = 'm4rk3r'
const JSON_API = { 'Content-Type': 'application/vnd.api+json' }

const places: Record<string, [string, Ask]> = {
  'the path': [`/${M}`, {}],
  'a beacon id': [`/beacons/${M}`, {}],
  'a beacon hash': [`/beacons/by-hash/${M}`, {}],
  'an item id': [`/items/${M}`, {}],
  'page[limit]': [`/beacons?page[limit]=${M}`, {}],
  'page[count]': [`/beacons?page[count]=${M}`, {}],
  'page[after]': [`/beacons?page[after]=${M}`, {}],
  sort: [`/beacons?sort=${M}`, {}],
  'a name with U+0000': [`/beacons?${M}%00=${M}`, {}],
  'the tenant': ['/beacons', { headers: { tenant: M } }],
  'the method': ['/beacons', { method: 'DELETE' }],
  'the content type': ['/items', { headers: { 'Content-Type': M }, body: M }],
  accept: ['/beacons', { headers: { Accept: `application/vnd.api+json;${M}=${M}` } }],
  'broken JSON': ['/items', { headers: JSON_API, body: `{"${M}":${M}` }],
  'a member of the document': ['/items', { body: { json: { ...itemBody().json, [M]: M } } }],
  'a member of data': ['/items', { body: itemBody({}, { [M]: M, type: M, id: M }) }],
  'an attribute': ['/items', { body: itemBody({ [M]: M, visibility: M, tags: [M, M, 1] }) }],
  'values of claims': [
    '/items',
    {
      body: itemBody({
        claims: { name: M.repeat(20), hash: M, hash_type: M, url: M, timestamp: M, location: M, metadata: M },
      }),
    },
  ],
  'the name of a member of claims': ['/items', { body: itemBody({ claims: { name: 'x', [M]: M } }) }],
  'an update': [`/items/${M}`, { method: 'PATCH', body: changeBody({ [M]: M }, { id: `${M}2` }) }],
}

it.each(Object.entries(places))('a marker in %s', async (_, [path, parts]) => {
  const answer = await ask(app.port, `/api/json${path}`, { key: app.owner.key, ...parts })
  for (const { detail, title } of errorsOf(answer)) expect(`${title} ${detail}`).not.toContain(M)
})
