// What the service finds under a pasted name, and that nothing is found that the caller may not read.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, apiClient } from '../../console-web/src/data/api_client.ts'
import { keyCredential } from '../../console-web/src/data/credential.ts'
import { findNamed } from '../../console-web/src/search/found.ts'
import { readNames } from '../../shared/search/read_names.ts'
import { openTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(async () => app?.close())

/** The page's client, which asks the origin of the page. */
const clientOf = (key: string): Pick<Api, 'get' | 'post'> => {
  const api = apiClient({ credential: keyCredential(key) })
  return {
    get: (path, signal) => api.get(app.base + path, signal),
    post: (path, body, more) => api.post(app.base + path, body, more),
  }
}

const found = async (text: string, key = app.owner.key) => {
  const api = clientOf(key)
  const { signal } = new AbortController()
  const all = await Promise.all(readNames(text, Date.now()).map((named) => findNamed(api, named, signal)))
  return all.flat().map(({ title, to }) => `${title} ${to}`)
}

it('everything of an account is found by the names that the service gives it', async () => {
  const api = clientOf(app.owner.key)
  const digest = 'ab'.repeat(32)
  const item = await api.post('/api/json/items', {
    data: { type: 'item', attributes: { claims: { name: 'report.pdf', hash: digest, hash_type: 'sha256' } } },
  })
  const { id, attributes } = JSON.parse(JSON.stringify(item)).data
  await app.finalize()
  const block = JSON.parse(JSON.stringify(await api.get('/api/json/blocks?page[limit]=1'))).data[0]
  const key = JSON.parse(JSON.stringify(await api.get('/api/json/api-keys'))).data[0]
  const theItem = `Item “report.pdf” /items/${id}`
  const theBlock = `Block 1 /blocks/${block.id}`

  expect(await found(id.toLowerCase())).toEqual([theItem])
  expect(await found(attributes.item_hash)).toEqual([theItem])
  expect(await found(attributes.claims_hash)).toEqual([theItem])
  expect(await found(digest.toUpperCase())).toEqual([theItem])
  expect(await found(block.id)).toEqual([theBlock])
  expect(await found(block.attributes.block_hash)).toEqual([theBlock])
  expect(await found('#1')).toEqual([theBlock])
  expect(await found(block.attributes.finalized_at)).toEqual([
    expect.stringMatching(/^Blocks of .* UTC \/chain\?from=.*&to=/),
    theBlock,
    expect.stringMatching(/^Block 0 \/blocks\//),
  ])
  expect(await found(app.owner.teamId)).toEqual([
    expect.stringMatching(`^Team “.*” /account/teams/${app.owner.teamId}$`),
  ])
  expect(await found(key.id)).toEqual([`API key “${key.attributes.name}” /account/keys`])
  expect(await found('77')).toEqual([])
  const named = await findNamed(api, { kind: 'name', text: 'port.pdf' }, new AbortController().signal)
  expect(named.map(({ title }) => title)).toEqual([`Item “report.pdf”`])
})

it('how far a thing is that was found is told in the words of its page', async () => {
  const api = clientOf(app.owner.key)
  const told = async (text: string) => {
    const { signal } = new AbortController()
    const all = await Promise.all(readNames(text, Date.now()).map((named) => findNamed(api, named, signal)))
    return all.flat().map(({ detail }) => detail.split(' · ')[1])
  }
  const claims = { name: 'later.pdf', hash: 'ef'.repeat(32), hash_type: 'sha256' }
  await api.post('/api/json/items', { data: { type: 'item', attributes: { claims } } })
  expect(await told(claims.hash)).toEqual(['waiting'])
  await app.finalize()
  expect(await told(claims.hash)).toEqual(['in a block'])
  expect(await told('#0')).toEqual(['in the chain'])
  await app.query("UPDATE blocks SET state = 'committed', committed_at = now() WHERE height > 1")
  expect(await told(claims.hash)).toEqual(['on a chain'])
})

it('a time before the chain is answered with its first block, which says so, and a span with the rows of that time', async () => {
  const details = async (text: string) => {
    const api = clientOf(app.owner.key)
    const { signal } = new AbortController()
    const all = await Promise.all(readNames(text, Date.now()).map((named) => findNamed(api, named, signal)))
    return all.flat().map(({ kind, detail }) => `${kind} ${detail}`)
  }
  expect(await details('2020-01-01 12:00')).toEqual([
    expect.stringMatching(/^block .*the first of all: the chain begins after that time$/),
  ])
  const [range, ...blocks] = await details('today')
  expect(range).toBe('range rows of the chain')
  expect(blocks).toEqual([expect.stringMatching(/^block .*the chain begins after that time$/)])
})

it('what belongs to somebody else is found by nobody else', async () => {
  const grace = await app.account('grace')
  const item = await clientOf(grace.key).post('/api/json/items', {
    data: {
      type: 'item',
      attributes: { claims: { name: 'secret.pdf', hash: 'cd'.repeat(32), hash_type: 'sha256' } },
    },
  })
  const { id, attributes } = JSON.parse(JSON.stringify(item)).data
  const names = [id, attributes.item_hash, attributes.claims_hash, 'cd'.repeat(32), grace.teamId]
  expect(await Promise.all(names.map((name) => found(name)))).toEqual(names.map(() => []))
  expect(await found(id, grace.key)).toHaveLength(1)
})
