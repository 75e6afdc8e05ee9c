// While another master key is in force than this server's: what it would seal or sign with a key that it cannot open is
// 503 with nothing half done, readiness says why, and all that needs no key goes on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rewrapSecrets } from '../../../server/commands/key.ts'
import { finalizeBlock } from '../../../server/domain/ledger/finalize_block.ts'
import { createSigner, rotateKey } from '../../../server/domain/ledger/signing_key.ts'
import { masterKey } from '../../../server/kernel/sealed.ts'
import { blockLog } from '../../support/block_log.ts'
import { type Answer, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { askGraphql, graphqlOf } from '../graphql/ask_graphql.ts'
import { errorsOf, refusals, resourceOf } from './documents.ts'
import { claimsOf, itemBody } from './item_documents.ts'

const PATH = '/api/json/webhook-endpoints'
const VALID = { url: 'https://hooks.example.com/x', resource_type: 'item', events: ['item.created'] }
const SECRET = { auth_type: 'bearer', auth_secret: 'a secret of the owner' }

const app = testApp()
let endpointId: string
const other = masterKey(Buffer.alloc(32, 9))

const send = (method: string, path: string, attributes: object): Promise<Answer> =>
  ask(app.port, path, {
    method,
    key: app.owner.key,
    body: { json: { data: { type: 'webhook_endpoint', attributes } } },
  })
const read = (path: string) => ask(app.port, path, { key: app.owner.key })
const endpoints = () => app.query<object>('SELECT * FROM webhook_endpoints ORDER BY id')
const ready = () => ask(app.port, '/health/ready')

beforeAll(async () => {
  endpointId = resourceOf(await send('POST', PATH, { ...VALID, ...SECRET }), 201).id
  await rewrapSecrets({ em: app.store.em('ledger'), from: app.masterKey, to: other })
})
afterAll(async () => {
  expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
})

describe('a server with a former master key', () => {
  it.each([
    ['a new endpoint with a secret', () => send('POST', PATH, { ...VALID, ...SECRET })],
    [
      'a new endpoint with headers',
      () => send('POST', PATH, { ...VALID, custom_headers: { 'X-Environment': 'x' } }),
    ],
    ['another secret', () => send('PATCH', `${PATH}/${endpointId}`, { auth_secret: 'another secret' })],
    ['other headers', () => send('PATCH', `${PATH}/${endpointId}`, { custom_headers: { 'X-Other': 'y' } })],
    [
      'a sample to an endpoint with a secret',
      () => ask(app.port, `${PATH}/${endpointId}/test`, { method: 'POST', key: app.owner.key }),
    ],
  ])('refuses %s with 503 and when to come again, and stores nothing', async (_, request) => {
    const before = await endpoints()
    const refused = await request()
    expect(refusals(refused)).toEqual(['503 master_key_changed'])
    expect(errorsOf(refused)[0]?.detail).toMatch(/restarted with the new one/)
    expect(refused.headers['retry-after']).toBe('30')
    expect(await endpoints()).toEqual(before)
    expect(await app.query('SELECT id FROM webhook_deliveries')).toEqual([])
  })

  it('is not ready, and says why', async () => {
    const { status, json } = await ready()
    expect([status, json()]).toEqual([
      503,
      expect.objectContaining({ ready: false, reason: 'master_key_changed', database: 'ok' }),
    ])
  })

  it('reads on, takes what needs no key, and changes what is not sealed', async () => {
    expect((await read(PATH)).status).toBe(200)
    expect((await read('/api/json/beacons/latest')).status).toBe(200)
    expect((await send('PATCH', `${PATH}/${endpointId}`, { description: 'of another time' })).status).toBe(
      200,
    )
    const made = resourceOf(await send('POST', PATH, VALID), 201)
    expect((await ask(app.port, `${PATH}/${made.id}`, { method: 'DELETE', key: app.owner.key })).status).toBe(
      200,
    )
  })

  it('refuses items once they need a signing key that was made after the change', async () => {
    const em = app.store.em('ledger')
    await rotateKey({ em, masterKey: other }, { emergency: false })
    const parts = { em, signer: createSigner({ masterKey: other }), publicLog: blockLog(other) }
    expect(await finalizeBlock(parts, { intervalMs: 1 })).toMatchObject({ outcome: 'finalized' })
    const create = () => ask(app.port, '/api/json/items', { key: app.owner.key, body: itemBody({}) })
    for (const answer of await Promise.all(Array.from({ length: 20 }, create))) {
      expect(refusals(answer)).toEqual(['503 master_key_changed'])
      expect(answer.headers['retry-after']).toBe('30')
    }
    const batch = await ask(app.port, '/api/json/items/batch', {
      key: app.owner.key,
      headers: { 'Idempotency-Key': 'the same batch' },
      body: { json: { data: { items: [{ claims: claimsOf('a file') }, { claims: claimsOf('a file') }] } } },
    })
    expect(refusals(batch)).toEqual(['503 master_key_changed'])
    const query =
      'mutation ($input: CreateItemInput!) { createItem(input: $input) { result { id } errors { code vars } } }'
    const input = { claims: JSON.stringify(claimsOf('a file')) }
    const { data } = graphqlOf(await askGraphql(app.port, app.owner.key, query, { variables: { input } }))
    expect(data?.createItem).toMatchObject({ result: null, errors: [{ code: 'master_key_changed' }] })
    expect(await app.query('SELECT id FROM items')).toEqual([])
    expect(await app.query('SELECT items FROM daily_submissions WHERE items > 0')).toEqual([])
    expect((await read('/api/json/items')).status).toBe(200)
  })

  it('does all of it again when its key is in force again, without a restart', async () => {
    await rewrapSecrets({ em: app.store.em('ledger'), from: other, to: app.masterKey })
    resourceOf(await send('POST', PATH, { ...VALID, ...SECRET }), 201)
    expect((await ask(app.port, '/api/json/items', { key: app.owner.key, body: itemBody({}) })).status).toBe(
      201,
    )
    await expect.poll(async () => (await ready()).status).toBe(200)
  })
})
