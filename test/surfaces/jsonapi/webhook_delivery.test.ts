// Deliveries over JSON:API, from the event to what the receiver heard: the whole service, its jobs included.
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setFeatureFlag } from '../../../server/domain/accounts/feature_flag.ts'
import { MOST_REPLAYED } from '../../../server/domain/webhooks/deliveries/replay.ts'
import { addressRanges } from '../../../server/kernel/addresses.ts'
import { EVENTS, eventsOf } from '../../../shared/wire/webhook_events.ts'
import type { TestAccount } from '../../support/app.ts'
import { forgetWebhooks } from '../../support/forget_webhooks.ts'
import { ask, eventually } from '../../support/http.ts'
import { openReceiver, type Receiver, TEST_AUTHORITY } from '../../support/receiver.ts'
import { testApp } from '../../support/test_app.ts'
import { errorsOf, pageOf, type Resource, refusals, resourceOf } from './documents.ts'

const app = testApp({ webhooks: { allow: addressRanges('127.0.0.0/8'), ca: TEST_AUTHORITY.cert } })
let receiver: Receiver
afterAll(async () => {
  expect(app.logged.filter(({ level }) => level === 'error').slice(0, 2)).toEqual([])
})
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(async () => {
  await setFeatureFlag(app.store.em(), 'webhooks.dispatch', true)
  await receiver.close()
  await forgetWebhooks(app)
})

const DELIVERIES = '/api/json/webhook-deliveries'
const ENDPOINTS = '/api/json/webhook-endpoints'

const endpoint = async (attributes: object = {}, by: TestAccount = app.owner): Promise<string> => {
  const given = { url: receiver.url(), resource_type: 'item', events: ['item.created'], ...attributes }
  const json = { data: { type: 'webhook_endpoint', attributes: given } }
  return resourceOf(await ask(app.port, ENDPOINTS, { key: by.key, body: { json } }), 201).id
}

const submit = async (by: TestAccount = app.owner): Promise<string> => {
  const json = {
    data: {
      type: 'item',
      attributes: { claims: { name: 'a secret name', hash: 'ab'.repeat(32), hash_type: 'sha256' } },
    },
  }
  return resourceOf(await ask(app.port, '/api/json/items', { key: by.key, body: { json } }), 201).id
}

const act = (path: string, data: object = {}, by: TestAccount = app.owner) =>
  ask(app.port, path, { key: by.key, body: { json: { data } } })

const list = async (query = '', by: TestAccount = app.owner): Promise<Resource[]> =>
  pageOf(await ask(app.port, `${DELIVERIES}?${query}`, { key: by.key })).data

const settled = (count: number, query = ''): Promise<Resource[]> =>
  eventually(async () => {
    const found = await list(query)
    return found.length === count && found.every(({ attributes }) => attributes.status !== 'pending')
      ? found
      : undefined
  })

describe('an event', () => {
  it('is delivered by itself, and shows without its payload unless that is asked for', async () => {
    const id = await endpoint({ events: ['item.created', 'item.committed'] })
    const item = await submit()
    await app.finalize()
    const [committed, created] = await settled(2, 'sort=-id')
    expect([created?.attributes.event_type, committed?.attributes.event_type].sort()).toEqual([
      'item.committed',
      'item.created',
    ])
    const [one] = await list(`filter[event_type]=item.created`)
    expect(one?.attributes).toEqual({
      endpoint_id: id,
      event_type: 'item.created',
      resource_type: 'item',
      resource_id: item,
      message_id: expect.stringMatching(/^msg_/),
      status: 'success',
      http_status: 200,
      error: null,
      attempts: 1,
      duration_ms: expect.any(Number),
      next_attempt_at: null,
      first_attempt_at: expect.stringMatching(/Z$/),
      last_attempt_at: expect.stringMatching(/Z$/),
      completed_at: expect.stringMatching(/Z$/),
      inserted_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    const fields = 'fields[webhook_delivery]=payload,response_body,attempt_log'
    const full = resourceOf(await ask(app.port, `${DELIVERIES}/${one?.id}?${fields}`, { key: app.owner.key }))
    expect(full.attributes).toEqual({
      payload: {
        type: 'item.created',
        timestamp: expect.any(Number),
        data: expect.objectContaining({ id: item }),
      },
      response_body: '',
      attempt_log: [expect.objectContaining({ number: 1, address: '127.0.0.1', http_status: 200 })],
    })
    const shown = await eventually(async () => {
      const answer = await ask(app.port, `${ENDPOINTS}/${id}`, { key: app.owner.key })
      return resourceOf(answer).attributes.last_success_at === null ? undefined : answer.text
    })
    expect(shown).toContain('"consecutive_failures":0')
    expect(JSON.stringify([...app.logged, receiver.heard])).not.toContain('a secret name')
  })

  it('waits while dispatch is switched off, and goes out when it is on again', async () => {
    await setFeatureFlag(app.store.em(), 'webhooks.dispatch', false)
    const prober = await app.account('prober')
    const probe = await endpoint({}, prober)
    const sample = async () => {
      const answer = await act(`${ENDPOINTS}/${probe}/test`, {}, prober)
      return (answer.json() as { result: Record<string, unknown> }).result
    }
    // Five seconds at most, on every server; a sample tells whether this one knows, and ten a minute are allowed.
    await expect
      .poll(async () => (await sample()).status, { timeout: 60_000, interval: 1_000 })
      .toBe('cancelled')
    await endpoint()
    await app.query('DELETE FROM webhook_deliveries')
    receiver.heard.length = 0
    await submit()
    const [waiting] = await eventually(async () => {
      const found = await list()
      return found.length === 1 ? found : undefined
    })
    expect(waiting?.attributes).toMatchObject({ status: 'pending', attempts: 0 })
    expect(await sample()).toMatchObject({
      status: 'cancelled',
      error: 'dispatch is switched off',
      attempts: 0,
    })
    expect(receiver.heard).toEqual([])
    await setFeatureFlag(app.store.em(), 'webhooks.dispatch', true)
    await settled(1, 'filter[status]=success')
    expect(receiver.heard).toHaveLength(1)
  })

  it('is told to nobody else, in no list and by no id', async () => {
    const stranger = await app.account('mallory')
    const id = await endpoint()
    await submit()
    const [mine] = await settled(1)
    expect(await list('', stranger)).toEqual([])
    expect(await list(`filter[endpoint_id]=${id}`, stranger)).toEqual([])
    const theirs = await ask(app.port, `${DELIVERIES}/${mine?.id}`, { key: stranger.key })
    expect(refusals(theirs)).toEqual(['404 not_found'])
    expect(refusals(await act(`${DELIVERIES}/${mine?.id}/redeliver`, {}, stranger))).toEqual([
      '404 not_found',
    ])
  })

  it('keeps its history when the endpoint is gone, and shows that it is', async () => {
    const id = await endpoint()
    await submit()
    const [done] = await settled(1)
    await ask(app.port, `${ENDPOINTS}/${id}`, { method: 'DELETE', key: app.owner.key })
    const answer = await ask(app.port, `${DELIVERIES}/${done?.id}?include=endpoint`, { key: app.owner.key })
    expect(answer.json()).toMatchObject({
      data: { attributes: { endpoint_id: id }, relationships: { endpoint: { data: null } } },
      included: [],
    })
    expect(refusals(await act(`${DELIVERIES}/${done?.id}/redeliver`))).toEqual(['409 conflict'])
  })
})

describe('the list', () => {
  it('takes offsets, and no writes', async () => {
    await endpoint()
    for (let n = 0; n < 3; n += 1) await submit()
    await settled(3)
    expect(await list('page[limit]=1&page[offset]=2&sort=inserted_at')).toHaveLength(1)
    for (const method of ['POST', 'PATCH', 'DELETE'])
      expect((await ask(app.port, DELIVERIES, { method, key: app.owner.key })).status).toBe(405)
  })

  it('embeds the endpoint', async () => {
    const id = await endpoint()
    await submit()
    await settled(1)
    const answer = await ask(app.port, `${DELIVERIES}?include=endpoint&filter[endpoint][enabled]=true`, {
      key: app.owner.key,
    })
    expect(answer.json()).toMatchObject({ included: [{ type: 'webhook_endpoint', id }] })
  })
})

describe('test', () => {
  it('sends a sample at once and answers the recorded delivery, also of a disabled endpoint', async () => {
    const id = await endpoint({ enabled: false, auth_type: 'bearer', auth_secret: 'opensesame' })
    receiver.respond((response) => response.writeHead(200).end('thanks\0'))
    const answer = await act(`${ENDPOINTS}/${id}/test`)
    expect(answer.status, answer.text).toBe(201)
    const { result } = answer.json() as { result: Record<string, unknown> }
    expect(result).toMatchObject({
      status: 'success',
      attempts: 1,
      endpoint_id: id,
      event_type: 'item.created',
    })
    expect(result).not.toHaveProperty('payload')
    expect(answer.text).not.toContain('opensesame')
    const [heard] = receiver.heard
    expect(heard?.headers.authorization).toBe('Bearer opensesame')
    expect(JSON.parse(heard?.body ?? '')).toMatchObject({ type: 'item.created', data: { test: true } })
    const fields = 'fields[webhook_delivery]=response_body'
    const path = `${DELIVERIES}/${String(result.id)}?${fields}`
    const shown = resourceOf(await ask(app.port, path, { key: app.owner.key }))
    expect(shown.attributes).toEqual({ response_body: 'thanks\ufffd' })
  })

  it('sends a sample of any event about what the endpoint is for, and refuses another', async () => {
    const tester = await app.account('sampler')
    const id = await endpoint({}, tester)
    const types: unknown[] = []
    for (const event of eventsOf('item')) {
      const answer = await act(`${ENDPOINTS}/${id}/test`, { event }, tester)
      expect(answer.status, answer.text).toBe(201)
      const { type, timestamp, data } = JSON.parse(receiver.heard.at(-1)?.body ?? '')
      expect(Object.keys(data).sort()).toEqual([...Object.keys(EVENTS[event].example), 'test'].sort())
      // The times are those of the sample, not those of the example.
      for (const [name, value] of Object.entries(data))
        if (name.endsWith('_at') && value !== null)
          expect(Math.abs(Date.parse(String(value)) / 1_000 - timestamp), name).toBeLessThan(2)
      types.push(type)
    }
    expect(types).toEqual(eventsOf('item'))
    const of = (event: string) => act(`${ENDPOINTS}/${id}/test`, { event }, tester)
    expect(refusals(await of('webhook_endpoint.failing'))).toEqual(['400 invalid_argument /data/event'])
    expect(refusals(await of('item.burnt'))).toEqual(['400 invalid_argument /data/event'])
    const watching = await endpoint(
      { resource_type: 'webhook_endpoint', events: ['webhook_endpoint.disabled'] },
      tester,
    )
    await act(`${ENDPOINTS}/${watching}/test`, {}, tester)
    expect(JSON.parse(receiver.heard.at(-1)?.body ?? '')).toMatchObject({
      type: 'webhook_endpoint.failing',
      data: { test: true, consecutive_failures: 10 },
    })
  })

  it('is not tried again, and is no failure of the endpoint', async () => {
    const id = await endpoint()
    receiver.respond(503)
    const { result } = (await act(`${ENDPOINTS}/${id}/test`)).json() as { result: Record<string, unknown> }
    expect(result).toMatchObject({ status: 'failed', http_status: 503, attempts: 1, next_attempt_at: null })
    const after = resourceOf(await ask(app.port, `${ENDPOINTS}/${id}`, { key: app.owner.key }))
    expect(after.attributes.consecutive_failures).toBe(0)
  })

  it('has a budget of ten a minute per account', async () => {
    const tester = await app.account('tester')
    const id = await endpoint({}, tester)
    const statuses: number[] = []
    for (let n = 0; n < 11; n += 1) statuses.push((await act(`${ENDPOINTS}/${id}/test`, {}, tester)).status)
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 201))
    expect(statuses[10]).toBe(429)
    expect(errorsOf(await act(`${ENDPOINTS}/${id}/test`, {}, tester))).toMatchObject([
      { code: 'rate_limited', meta: { limit: 10 } },
    ])
  })
})

describe('redeliver', () => {
  it('makes a new record with the same bytes and the same webhook-id', async () => {
    await endpoint()
    await submit()
    const [first] = await settled(1)
    const answer = await act(`${DELIVERIES}/${first?.id}/redeliver`)
    expect(answer.status, answer.text).toBe(201)
    const { result } = answer.json() as { result: Record<string, unknown> }
    expect(result).toMatchObject({ status: 'pending', attempts: 0, message_id: first?.attributes.message_id })
    expect(result.id).not.toBe(first?.id)
    await settled(2)
    const [one, two] = receiver.heard
    expect(two?.body).toBe(one?.body)
    expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id'])
    expect(two?.headers['x-pharos-delivery']).not.toBe(one?.headers['x-pharos-delivery'])
  })
})

describe('recover', () => {
  it('sends again what ended failed or cancelled since then, once', async () => {
    const id = await endpoint()
    receiver.respond(404)
    for (let n = 0; n < 3; n += 1) await submit()
    await settled(3)
    await act(`${ENDPOINTS}/${id}/test`)
    const [oldest] = await list('sort=inserted_at')
    await app.query(`UPDATE webhook_deliveries SET completed_at = now() - interval '2 days' WHERE id = $1`, [
      oldest?.id,
    ])
    receiver.respond(200)
    const since = new Date(Date.now() - 86_400_000).toISOString()
    const recover = async () => (await act(`${ENDPOINTS}/${id}/recover`, { since })).json()
    expect(await recover()).toEqual({ result: { count: 2 } })
    await settled(2, 'filter[status]=success')
    expect(await recover()).toEqual({ result: { count: 0 } })
    expect(refusals(await act(`${ENDPOINTS}/${id}/recover`))).toEqual(['400 required /data/since'])
    expect(refusals(await act(`${ENDPOINTS}/${id}/recover`, { since: 'yesterday' }))).toEqual([
      '400 invalid_argument /data/since',
    ])
  })

  it('also finds what happened while the endpoint was disabled', async () => {
    const id = await endpoint({ enabled: false })
    await submit()
    await settled(1, 'filter[status]=cancelled')
    const json = { data: { type: 'webhook_endpoint', attributes: { enabled: true } } }
    await ask(app.port, `${ENDPOINTS}/${id}`, { method: 'PATCH', key: app.owner.key, body: { json } })
    const answer = await act(`${ENDPOINTS}/${id}/recover`, { since: '2020-01-01T00:00:00Z' })
    expect(answer.json()).toEqual({ result: { count: 1 } })
    await settled(1, 'filter[status]=success')
  })
})

describe('replay', () => {
  it('sends each message of a range once, in as many calls as it takes, whatever got through between them', async () => {
    // Nothing of it is sent by itself.
    const id = await endpoint({ kind: 'pull', url: undefined })
    const messages = MOST_REPLAYED + 5
    const began = new Date(Date.now() - 3_600_000)
    await app.query(
      `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id, creator_id,
                                       team_id, visibility, status, completed_at, inserted_at, payload, pull_xid)
       SELECT 'old ' || n, $2, $1, 'item.created', 'item', 'item ' || n, 'msg ' || n, $2, $3, 'private', 'success',
              pharos_now(), $4::timestamptz + n / 100 * interval '1 millisecond', '{}', pg_current_xact_id()
         FROM generate_series(1, $5::int) AS n`,
      [id, app.owner.userId, app.owner.teamId, began, messages],
    )
    const until = new Date(Date.now() + 3_600_000).toISOString()
    let sum = 0
    for (let from: unknown = began.toISOString(); from !== undefined; ) {
      const answer = await act(`${ENDPOINTS}/${id}/replay`, { from, until })
      expect(answer.status, answer.text).toBe(201)
      const { result } = answer.json() as { result: { count: number; next_from?: string } }
      sum += result.count
      expect(sum).toBeLessThanOrEqual(messages)
      from = result.next_from
      await app.query(
        `UPDATE webhook_deliveries SET status = 'success', completed_at = pharos_now() WHERE status = 'pending'`,
      )
    }
    expect(sum).toBe(messages)
    const [made] = await app.query<{ count: number }>(
      `SELECT count(DISTINCT message_id)::int AS count FROM webhook_deliveries WHERE id NOT LIKE 'old %'`,
    )
    expect(made?.count).toBe(messages)
  })

  it('is refused without a range, of one that ends before it begins, and to others', async () => {
    const path = `${ENDPOINTS}/${await endpoint()}/replay`
    const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z']
    expect(refusals(await act(path))).toEqual(['400 required /data/from', '400 required /data/until'])
    for (const range of [
      { from: late, until: early },
      { from: `${late}/${early}`, until: late },
      { from: `${late}/${late}`, until: early },
    ])
      expect(refusals(await act(path, range))).toEqual(['400 invalid_argument /data/until'])
    for (const from of ['yesterday', `${early}/`, `${early}/tomorrow`, `${early}/${late}/${late}`])
      expect(refusals(await act(path, { from, until: late }))).toEqual(['400 invalid_argument /data/from'])
    const stranger = await app.account('eve')
    expect(refusals(await act(path, { from: early, until: late }, stranger))).toEqual(['404 not_found'])
    expect((await act(path, { from: early, until: late })).json()).toEqual({ result: { count: 0 } })
  })
})
