// Every absolute link begins with BASE_URL, whatever the Host header says.
import { beforeAll, expect, it } from 'vitest'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { pageOf, resourceOf } from './documents.ts'
import { itemBody } from './item_documents.ts'

const app = testApp({ baseUrl: 'https://pharos.example' })
beforeAll(async () => {
  await app.finalize(3)
})

const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'http' }

it('links, self links and Location come from BASE_URL', async () => {
  const list = await ask(app.port, '/api/json/beacons?page[limit]=1', { key: app.owner.key, headers })
  const middle = await ask(
    app.port,
    new URL(pageOf(list).links.next ?? '').pathname + new URL(pageOf(list).links.next ?? '').search,
    {
      key: app.owner.key,
      headers,
    },
  )
  for (const link of Object.values(pageOf(middle).links))
    expect(link).toMatch(/^https:\/\/pharos\.example\/api\/json\/beacons\?page%5B/)
  const made = await ask(app.port, '/api/json/items', { key: app.owner.key, headers, body: itemBody() })
  const { id } = resourceOf(made, 201)
  expect(made.headers.location).toBe(`https://pharos.example/api/json/items/${id}`)
  expect(made.json()).toMatchObject({ links: { self: `https://pharos.example/api/json/items/${id}` } })
  expect(`${list.text}${middle.text}${made.text}`).not.toContain('evil')
})

it('an absolute request target does not change them', async () => {
  const answer = await ask(app.port, 'http://evil.example/api/json/beacons', { key: app.owner.key })
  expect(pageOf(answer).links.first).toMatch(/^https:\/\/pharos\.example\/api\/json\/beacons\?/)
})
