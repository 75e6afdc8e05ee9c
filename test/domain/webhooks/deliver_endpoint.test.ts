// What a receiver hears, and what is written down about it.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from '../../support/receiver.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'

let webhooks: TestWebhooks
let receiver: Receiver
beforeAll(async () => {
  webhooks = await openTestWebhooks({ resolve: async () => ['127.0.0.1'] })
})
afterAll(() => webhooks.close())
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(async () => {
  await receiver.close()
  await webhooks.query('DELETE FROM webhook_endpoints')
  await webhooks.query('DELETE FROM webhook_deliveries')
})

describe('a delivery', () => {
  it('is one POST with the documented headers, the custom ones and the secret, and a body without claims', async () => {
    const endpoint = await webhooks.endpoint({
      url: receiver.url('hooks.example.com', '/a/b?c=d'),
      events: ['item.created'],
      authType: 'bearer',
      authSecret: 'sé€cret',
      customHeaders: [
        ['X-Team', 'Zürich'],
        ['accept-encoding', 'br'],
      ],
    })
    const [item] = await webhooks.ledger.submit({ tags: ['a'] })
    await webhooks.fanOutAll()
    expect(await webhooks.deliverDue()).toEqual(['done'])
    const [delivery, ...others] = await webhooks.deliveries(endpoint.id)
    expect(others).toEqual([])
    expect(receiver.heard).toHaveLength(1)
    const [heard] = receiver.heard
    expect(heard).toMatchObject({ method: 'POST', path: '/a/b?c=d', body: delivery?.payload })
    expect(heard?.headers).toMatchObject({
      host: `hooks.example.com:${receiver.port}`,
      'content-type': 'application/json',
      'user-agent': 'pharos-Webhook/1.0',
      'webhook-id': delivery?.messageId,
      'x-pharos-event': 'item.created',
      'x-pharos-delivery': delivery?.id,
      'x-pharos-timestamp': expect.stringMatching(/^\d{10}$/),
      authorization: `Bearer ${Buffer.from('sé€cret').toString('latin1')}`,
      'x-team': Buffer.from('Zürich').toString('latin1'),
      'accept-encoding': 'br',
    })
    expect(delivery?.messageId).toMatch(/^msg_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    const body: unknown = JSON.parse(heard?.body ?? '')
    expect(body).toEqual({
      type: 'item.created',
      timestamp: expect.any(Number),
      data: {
        id: item?.id,
        state: 'created',
        visibility: 'private',
        claims_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        metadata_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        item_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        tags: ['a'],
        team_id: webhooks.ledger.teamId,
        block_id: null,
        inserted_at: expect.stringMatching(/Z$/),
        committed_at: null,
        redacted_at: null,
      },
    })
    expect(delivery).toMatchObject({
      status: 'success',
      httpStatus: 200,
      error: null,
      attempts: 1,
      nextAttemptAt: null,
      completedAt: expect.any(Date),
      resourceId: item?.id,
      attemptLog: [
        { number: 1, resolved_addresses: ['127.0.0.1'], address: '127.0.0.1', http_status: 200, error: null },
      ],
    })
  })

  it('says when each attempt was made, and when its payload was, and carries no credential unless there is one', async () => {
    await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
    await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    const [{ payload = '' } = {}] = await webhooks.deliveries()
    const aged = payload.replace(/"timestamp":\d+/, '"timestamp":1000000000')
    expect(aged).not.toBe(payload)
    await webhooks.query('UPDATE webhook_deliveries SET payload = $1', [aged])
    const before = Math.floor(Date.now() / 1_000)
    receiver.respond(503)
    await webhooks.deliverDue()
    await webhooks.passTime()
    receiver.respond(200)
    await webhooks.deliverDue()
    expect(receiver.heard).toHaveLength(2)
    for (const { headers, body } of receiver.heard) {
      expect(body).toBe(aged)
      expect(Number(headers['x-pharos-timestamp'])).toBeGreaterThanOrEqual(before)
      expect(Number(headers['x-pharos-timestamp'])).toBeLessThanOrEqual(Date.now() / 1_000)
      expect(headers).not.toHaveProperty('authorization')
    }
  })

  it('that is tried again has the same bytes and the same message id', async () => {
    await webhooks.endpoint({ url: receiver.url(), events: ['item.created'] })
    await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    receiver.respond(500)
    await webhooks.deliverDue()
    const [waiting] = await webhooks.deliveries()
    expect(waiting).toMatchObject({ status: 'pending', httpStatus: 500, attempts: 1 })
    const wait = Number(waiting?.nextAttemptAt) - Number(waiting?.lastAttemptAt)
    expect(wait).toBeGreaterThan(11_900)
    expect(wait).toBeLessThan(25_000)
    await webhooks.passTime()
    receiver.respond(204)
    await webhooks.deliverDue()
    const [one, two] = receiver.heard
    expect(two?.body).toBe(one?.body)
    expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id'])
    expect(await webhooks.deliveries()).toMatchObject([
      {
        status: 'success',
        attempts: 2,
        attemptLog: [
          { number: 1, http_status: 500 },
          { number: 2, http_status: 204 },
        ],
      },
    ])
  })
})
