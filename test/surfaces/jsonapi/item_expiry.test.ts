// expires_at: from that moment on nobody is shown the claims, whether or not they have been erased yet, and soon they are.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commitBlocks } from '../../domain/proofs/seed_commitment.ts'
import { ask, eventually } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { askGraphql, graphqlOf } from '../graphql/ask_graphql.ts'
import { errorsOf, pageOf, resourceOf } from './documents.ts'
import { changeBody, itemBody } from './item_documents.ts'

const HASH = 'cd'.repeat(32)
const CLAIMS = { name: 'Mango', description: 'a secret', hash: HASH, hash_type: 'sha256' }
const NAMES = ['Lemon', 'Nut', 'Olive']

const app = testApp()
let id = ''
let block = ''
/** Holds the item's row, so that the service cannot erase it and has only its word. */
let holder: pg.Client
const get = (path: string) => ask(app.port, `/api/json${path}`, { key: app.owner.key })
const create = async (attributes: object): Promise<string> =>
  resourceOf(await ask(app.port, '/api/json/items', { key: app.owner.key, body: itemBody(attributes) }), 201)
    .id
const listed = async (query: string) => pageOf(await get(`/items?${query}`)).data.map((each) => each.id)
const stored = async () =>
  (await app.query<{ claims: string | null }>('SELECT claims FROM items WHERE id = $1', [id]))[0]?.claims

beforeAll(async () => {
  for (const name of NAMES) await create({ claims: { name, hash: 'ab'.repeat(32), hash_type: 'sha256' } })
  id = await create({ claims: CLAIMS })
  await app.finalize()
  await commitBlocks({ em: app.store.em() })
  block = String(resourceOf(await get(`/items/${id}`)).attributes.block_id)
  holder = new pg.Client({ connectionString: app.database.url })
  await holder.connect()
  await app.query(`UPDATE items SET expires_at = pharos_now() + interval '3 seconds' WHERE id = $1`, [id])
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM items WHERE id = $1 FOR UPDATE', [id])
  await eventually(
    async () => resourceOf(await get(`/items/${id}`)).attributes.state === 'redacted' || undefined,
  )
})
afterAll(async () => {
  await holder.end()
})

describe('an item whose time has come, and which is still to be erased', () => {
  it('is shown as redacted since that very moment', async () => {
    expect(await stored(), 'otherwise this test shows nothing').toContain('Mango')
    const { attributes } = resourceOf(await get(`/items/${id}`))
    expect(attributes).toMatchObject({
      state: 'redacted',
      claims: null,
      hash: null,
      display_name: null,
      display_description: null,
      redacted_at: attributes.expires_at,
      updated_at: attributes.expires_at,
    })
  })

  it('is found by nothing that its claims said', async () => {
    for (const filter of [
      `filter[hash]=${HASH}`,
      `filter[hash][in][]=${HASH}`,
      `filter[hash][greater_than]=cc`,
      'filter[display_name]=Mango',
      'filter[display_name][string_starts_with]=Man',
      'filter[display_name][contains]=ang',
      `filter[or][0][hash]=${HASH}`,
      'filter[hash][is_nil]=false&filter[state]=redacted',
      'filter[state]=committed&filter[not][display_name][in][]=Lemon&filter[display_name][is_nil]=true',
    ])
      expect(await listed(filter), filter).toEqual([])
    expect(await listed('filter[hash][is_nil]=true')).toEqual([id])
    expect(await listed('filter[state]=redacted')).toEqual([id])
  })

  it('stands in the order by name where the nameless stand, and cursors walk it once', async () => {
    for (const sort of ['display_name', '-display_name']) {
      const walked: string[] = []
      for (let next: string | null = `/items?sort=${sort}&page[limit]=1`; next !== null; ) {
        const page = pageOf(await get(next))
        walked.push(...page.data.map((each) => each.id))
        next = page.links.next === null ? null : page.links.next.replace(/^.*\/api\/json/, '')
        if (next !== null) expect(Buffer.from(next, 'base64url').toString()).not.toContain('Mango')
      }
      expect(walked).toHaveLength(NAMES.length + 1)
      expect(walked.at(-1)).toBe(id)
    }
    expect((await listed('sort=display_name&page[offset]=0')).at(-1)).toBe(id)
  })

  it('carries no claims where it is included, on GraphQL, and for who looks up its id', async () => {
    const included = (await get(`/blocks/${block}?include=items`)).text
    expect(included).toContain(id)
    expect(included).not.toMatch(/Mango|a secret|cdcdcd/)
    const { data } = graphqlOf(
      await askGraphql(
        app.port,
        app.owner.key,
        `{ getItem(id: "${id}") { state claims hash displayName }
           listItems(first: 10, filter: {hash: {eq: "${HASH}"}}) { results { id } } }`,
      ),
    )
    expect(data).toEqual({
      getItem: { state: 'redacted', claims: null, hash: null, displayName: null },
      listItems: { results: [] },
    })
    const resolved = await ask(app.port, '/api/json/utilities/resolve-id', {
      key: app.owner.key,
      body: { json: { data: { id } } },
    })
    expect(resolved.json()).toMatchObject({ result: { matches: [{ summary: { state: 'redacted' } }] } })
  })

  it('cannot be proven any more, like a redacted one', async () => {
    const refused = await ask(app.port, '/api/json/proof/generate', {
      key: app.owner.key,
      body: { json: { data: { id, type: 'item' } } },
    })
    expect(errorsOf(refused)).toMatchObject([
      { status: '422', code: 'subject_not_recomputable', meta: { drifted: 'claims' } },
    ])
  })

  it('is erased as soon as nobody holds it, and what is shown of it does not change by that', async () => {
    const shown = resourceOf(await get(`/items/${id}`)).attributes
    await holder.query('ROLLBACK')
    await eventually(async () => (await stored()) === null || undefined)
    expect(resourceOf(await get(`/items/${id}`)).attributes).toEqual(shown)
    const told = await app.query<{ kind: string }>(
      `SELECT kind FROM facts WHERE subject_id = $1 AND kind = 'item.redacted'`,
      [id],
    )
    expect(told).toHaveLength(1)
  })
})

describe('a change of an item whose time has come', () => {
  const expired = async (): Promise<string> => {
    const made = await create({ claims: CLAIMS })
    await app.query(`UPDATE items SET expires_at = pharos_now() WHERE id = $1`, [made])
    return made
  }
  const change = (made: string, attributes: object) =>
    ask(app.port, `/api/json/items/${made}`, {
      key: app.owner.key,
      method: 'PATCH',
      body: changeBody(attributes),
    })

  it('does not bring back its claims', async () => {
    const made = await expired()
    expect(resourceOf(await change(made, { expires_at: null, tags: ['kept'] })).attributes).toMatchObject({
      state: 'redacted',
      claims: null,
      expires_at: null,
      tags: ['kept'],
    })
  })

  it('restores them when they are given again', async () => {
    const made = await expired()
    expect(resourceOf(await change(made, { redacted: false, claims: CLAIMS })).attributes).toMatchObject({
      state: 'created',
      display_name: 'Mango',
      expires_at: null,
      redacted_at: null,
    })
  })

  it('answers its deletion without them', async () => {
    const made = await expired()
    const { data } = graphqlOf(
      await askGraphql(
        app.port,
        app.owner.key,
        `mutation { destroyItem(id: "${made}") { result { state claims displayName } errors { code } } }`,
      ),
    )
    expect(data).toEqual({
      destroyItem: { result: { state: 'redacted', claims: null, displayName: null }, errors: [] },
    })
  })
})
