// The built-in receiver over HTTP: an account makes an address, a delivery arrives, and nobody else sees it.
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { ADDRESS_LIMITS } from '../../../server/domain/webhooks/receiver/receiver_address.ts'
import { pruneRequests, REQUEST_LIMITS } from '../../../server/domain/webhooks/receiver/receiver_request.ts'
import { openTestApp, type TestAccount } from '../../support/app.ts'
import { type Answer, type Ask, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { resourceOf } from '../jsonapi/documents.ts'
import { itemBody } from '../jsonapi/item_documents.ts'

const PATH = '/console/receiver'

const address = z.strictObject({
  token: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  url: z.string(),
  answers: z.string(),
  inserted_at: z.string(),
  expires_at: z.string(),
  requests: z.number(),
  newest_at: z.string().nullable(),
})
const request = z.strictObject({
  id: z.string(),
  at: z.string(),
  method: z.string(),
  headers: z.array(z.strictObject({ name: z.string(), value: z.string().nullable() })),
  body: z.string(),
  body_bytes: z.number(),
  body_kept_bytes: z.number(),
  delivery_id: z.string().nullable(),
  endpoint_id: z.string().nullable(),
  secret: z.string(),
  answered: z.string(),
})
const made = z.strictObject({ address })
const listed = z.strictObject({
  on: z.literal(true),
  limits: z.record(z.string(), z.number()),
  addresses: z.array(address),
})
const one = z.strictObject({ address, requests: z.array(request) })
const delivery = z.looseObject({
  result: z.looseObject({ id: z.string(), status: z.string(), error: z.string().nullable() }),
})

const app = testApp({
  // Every other name leads to this machine, so what arrives came by the one name.
  webhooks: { allow: { size: 0, has: () => false }, resolve: async () => ['127.0.0.1'] },
})

const call = (path = '', how: Ask = {}, { key }: TestAccount = app.owner): Promise<Answer> =>
  ask(app.port, `${PATH}${path}`, { key, ...how })
const make = async (account = app.owner) =>
  made.parse((await call('', { method: 'POST' }, account)).json()).address
const read = async (token: string) => one.parse((await call(`/${token}`)).json())
const answers = (token: string, word: string) =>
  call(`/${token}`, { method: 'PATCH', body: { json: { answers: word } } })
const forget = (token: string) => call(`/${token}`, { method: 'DELETE' })

const endpoint = async (url: string, more: object = {}, account = app.owner): Promise<string> => {
  const attributes = { url, resource_type: 'item', events: ['item.created'], ...more }
  const json = { data: { type: 'webhook_endpoint', attributes } }
  return resourceOf(
    await ask(app.port, '/api/json/webhook-endpoints', { key: account.key, body: { json } }),
    201,
  ).id
}
const test = async (id: string, account = app.owner) => {
  const path = `/api/json/webhook-endpoints/${id}/test`
  return delivery.parse(
    (await ask(app.port, path, { key: account.key, body: { json: { data: {} } } })).json(),
  ).result
}

describe('an address of the built-in receiver', () => {
  it('takes the deliveries of an endpoint, and shows them without their secrets', async () => {
    const { token, url } = await make()
    expect(url).toBe(`https://receiver.pharos.test/${token}`)
    const id = await endpoint(url, {
      auth_type: 'bearer',
      auth_secret: 'a very secret word',
      custom_headers: { 'X-Mine': 'another secret word' },
    })
    const sent = await test(id)
    expect(sent).toMatchObject({ status: 'success', error: null })
    const seen = await read(token)
    expect(seen.address).toMatchObject({ requests: 1, answers: 'ok' })
    expect(seen.requests).toMatchObject([
      { method: 'POST', delivery_id: sent.id, endpoint_id: id, secret: 'matches', answered: 'ok' },
    ])
    const [arrived] = seen.requests
    expect(JSON.parse(arrived?.body ?? '')).toMatchObject({ type: 'item.created', data: { test: true } })
    const headers = new Map(arrived?.headers.map(({ name, value }) => [name, value]))
    expect(headers.get('x-pharos-delivery')).toBe(sent.id)
    expect(headers.get('host')).toBe('receiver.pharos.test')
    expect([headers.get('authorization'), headers.get('X-Mine')]).toEqual([null, null])
    const stored = await app.query('SELECT * FROM receiver_requests')
    expect(JSON.stringify(stored)).not.toMatch(/secret word/)
    await forget(token)
  })

  it('answers as it is told, and a delivery that was refused is tried again', async () => {
    const { token, url } = await make()
    const id = await endpoint(url)
    expect((await answers(token, 'error')).status).toBe(200)
    expect(await test(id)).toMatchObject({ status: 'failed', http_status: 500 })
    resourceOf(await ask(app.port, '/api/json/items', { key: app.owner.key, body: itemBody() }), 201)
    await vi.waitFor(async () => expect((await read(token)).requests).toHaveLength(2), 60_000)
    await vi.waitFor(async () => {
      const [row] = await app.query(
        'SELECT status, attempts, http_status FROM webhook_deliveries WHERE endpoint_id = $1 AND NOT is_sample',
        [id],
      )
      expect(row).toEqual({ status: 'pending', attempts: 1, http_status: 500 })
    }, 60_000)
    expect((await read(token)).requests).toMatchObject([{ answered: 'error', secret: 'none' }, {}])
    expect((await answers(token, 'ok')).status).toBe(200)
    expect(await test(id)).toMatchObject({ status: 'success' })
    await forget(token)
  })

  it('that is gone, or of nobody, answers 404', async () => {
    const { token, url } = await make()
    const id = await endpoint(url)
    expect((await forget(token)).status).toBe(204)
    expect(await test(id)).toMatchObject({ status: 'cancelled', http_status: 404 })
    expect((await call(`/${token}`)).status).toBe(404)
    expect((await forget(token)).status).toBe(404)
    expect((await answers(token, 'ok')).status).toBe(404)
  })

  it('is its owner’s alone, and a delivery of another account is not told as one of theirs', async () => {
    const { token, url } = await make()
    const other = await app.account('bob')
    expect((await call(`/${token}`, {}, other)).status).toBe(404)
    expect((await call(`/${token}`, { method: 'DELETE' }, other)).status).toBe(404)
    expect(
      (await call(`/${token}`, { method: 'PATCH', body: { json: { answers: 'ok' } } }, other)).status,
    ).toBe(404)
    expect(listed.parse((await call('', {}, other)).json()).addresses).toEqual([])
    const id = await endpoint(url, { auth_type: 'bearer', auth_secret: 'theirs' }, other)
    expect(await test(id, other)).toMatchObject({ status: 'success' })
    expect((await read(token)).requests).toMatchObject([
      { delivery_id: null, endpoint_id: null, secret: 'unknown' },
    ])
    await forget(token)
  })

  it('keeps the newest requests, for a day', async () => {
    const { token } = await make()
    const id = await endpoint(`https://receiver.pharos.test/${token}`)
    await app.query(
      `INSERT INTO receiver_requests (id, token, at, method, headers, body, body_bytes, secret, answered)
       SELECT lpad(n::text, 4, '0'), $1, pharos_now() - interval '1 hour', 'POST', '[]', '', 0, 'none', 'ok'
         FROM generate_series(1, 60) n`,
      [token],
    )
    await test(id)
    const { requests } = await read(token)
    expect(requests).toHaveLength(REQUEST_LIMITS.newest)
    expect(requests[0]).toMatchObject({ endpoint_id: id })
    await app.query(
      `UPDATE receiver_requests SET at = at - interval '24 hours' WHERE token = $1 AND length(id) = 4`,
      [token],
    )
    // The server's own chore may have done it already.
    await pruneRequests(app.store.em(), 1_000)
    expect((await read(token)).requests).toMatchObject([{ endpoint_id: id }])
    await forget(token)
  })

  it('is one of few', async () => {
    const carol = await app.account('carol')
    const all = await Promise.all(
      Array.from({ length: ADDRESS_LIMITS.account + 3 }, () => call('', { method: 'POST' }, carol)),
    )
    const refused = all.filter(({ status }) => status === 409)
    expect(refused).toHaveLength(3)
    expect(refused[0]?.json()).toMatchObject({
      errors: [{ code: 'conflict', meta: { maximum: ADDRESS_LIMITS.account } }],
    })
    expect(listed.parse((await call('', {}, carol)).json()).addresses).toHaveLength(ADDRESS_LIMITS.account)
  })
})

describe('the receiver’s way in', () => {
  it('asks for a credential, and for one that may write where something changes', async () => {
    expect((await ask(app.port, PATH)).status).toBe(401)
    expect((await ask(app.port, PATH, { method: 'POST' })).status).toBe(401)
  })

  it('refuses what it does not know', async () => {
    const { token } = await make()
    expect((await call('', { method: 'PUT' })).status).toBe(405)
    expect((await call(`/${token}`, { method: 'POST' })).status).toBe(405)
    expect((await call(`/${token}/more`)).status).toBe(404)
    expect((await call('/constructor')).status).toBe(404)
    for (const json of [{}, { answers: 'maybe' }, { answers: 1 }, [], null, 'ok'])
      expect((await call(`/${token}`, { method: 'PATCH', body: { json } })).status).toBe(400)
    expect((await call(`/${token}`, { method: 'PATCH', body: 'answers=ok' })).status).toBe(415)
    await forget(token)
  })

  it('is closed behind a proxy, and says so', async () => {
    const off = await call('', { headers: { 'X-Forwarded-For': '203.0.113.7' } })
    expect([off.status, off.json()]).toEqual([200, { on: false, reason: 'proxy' }])
    expect((await call('', { method: 'POST', headers: { Host: 'pharos.example.com' } })).status).toBe(404)
  })

  it('is closed where the server has a public address, and its name is a name like any other', async () => {
    const beside = await openTestApp({ beside: app, baseUrl: 'https://pharos.example.com' })
    try {
      const off = await ask(beside.port, PATH, { key: app.owner.key })
      expect(off.json()).toEqual({ on: false, reason: 'base_url' })
      expect((await ask(beside.port, PATH, { key: app.owner.key, method: 'POST' })).status).toBe(404)
      const { token, url } = await make()
      const id = await endpoint(url)
      const path = `/api/json/webhook-endpoints/${id}/test`
      const sent = await ask(beside.port, path, { key: app.owner.key, body: { json: { data: {} } } })
      expect(delivery.parse(sent.json()).result).toMatchObject({
        status: 'failed',
        error: 'the host does not resolve',
      })
      expect((await read(token)).requests).toEqual([])
    } finally {
      await beside.close()
    }
  })
})
