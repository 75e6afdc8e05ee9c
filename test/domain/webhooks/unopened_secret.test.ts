// What is stored for an endpoint does not open: its deliveries fail with words, by the ordinary rules. Under a master key
// that is not in force any more they wait for a server that has the new one.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rewrapSecrets } from '../../../server/commands/key.ts'
import { updateEndpoint } from '../../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { openTarget } from '../../../server/domain/webhooks/sending/deliver_one.ts'
import { sendSample } from '../../../server/domain/webhooks/sending/send_sample.ts'
import { masterKey } from '../../../server/kernel/sealed.ts'
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

const withSecrets = () =>
  webhooks.endpoint({
    url: receiver.url('hooks.example.com', '/x'),
    events: ['item.created'],
    authType: 'bearer',
    authSecret: 'a secret',
    customHeaders: [['X-Team', 'a']],
  })
const spoil = (column: string) =>
  webhooks.query(`UPDATE webhook_endpoints SET ${column} = ${column} || '\\x00'`)
const owner = (id: string) => ({ id, userId: webhooks.ledger.userId })
const sealing = () => ({ em: webhooks.ledger.store.em(), masterKey: webhooks.ledger.masterKey })

describe('a stored secret that does not open', () => {
  it('is a failed attempt that says what to give again, and is sent once that is given', async () => {
    const { id } = await withSecrets()
    await webhooks.ledger.submit({}, {})
    await webhooks.fanOutAll()
    await spoil('sealed_auth_secret')
    expect(await webhooks.deliverDue()).toEqual(['done'])
    for (const delivery of await webhooks.deliveries(id))
      expect(delivery).toMatchObject({
        ...{ status: 'pending', attempts: 1, httpStatus: null, nextAttemptAt: expect.any(Date) },
        error: 'the stored auth_secret of the endpoint cannot be opened and must be given again',
      })
    expect(receiver.heard).toEqual([])
    await updateEndpoint(sealing(), owner(id), { authSecret: 'a secret again' })
    await webhooks.passTime()
    await webhooks.deliverDue()
    expect((await webhooks.deliveries(id)).map(({ status, attempts }) => [status, attempts])).toEqual([
      ['success', 2],
      ['success', 2],
    ])
    expect(receiver.heard[0]?.headers).toMatchObject({
      authorization: 'Bearer a secret again',
      'x-team': 'a',
    })
  })

  it('ends as failed after the last attempt', async () => {
    const { id } = await withSecrets()
    await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    await spoil('sealed_auth_secret')
    await spoil('sealed_custom_headers')
    await webhooks.query('UPDATE webhook_deliveries SET attempts = 11')
    await webhooks.deliverDue()
    expect(await webhooks.deliveries(id)).toMatchObject([
      {
        ...{ status: 'failed', attempts: 12, nextAttemptAt: null },
        error:
          'the stored auth_secret and custom_headers of the endpoint cannot be opened and must be given again',
      },
    ])
  })

  it('is the answer of a sample', async () => {
    const { id } = await withSecrets()
    await spoil('sealed_custom_headers')
    expect(
      await sendSample(webhooks.tools, { endpointId: id, userId: webhooks.ledger.userId }),
    ).toMatchObject({
      status: 'failed',
      error: 'the stored custom_headers of the endpoint cannot be opened and must be given again',
    })
  })

  it('says nothing of what is stored', async () => {
    await withSecrets()
    await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    await spoil('sealed_auth_secret')
    await webhooks.deliverDue()
    expect(JSON.stringify(webhooks.lines)).not.toMatch(/a secret/)
  })
})

describe('a master key that is not in force any more', () => {
  const next = masterKey(Buffer.alloc(32, 9))
  const change = (from: typeof next, to: typeof next) =>
    rewrapSecrets({ em: webhooks.ledger.store.em('ledger'), from, to })

  it('costs no attempt: who has the new one delivers', async () => {
    const { id } = await withSecrets()
    const plain = await webhooks.endpoint({
      url: receiver.url('hooks.example.com', '/plain'),
      events: ['item.created'],
    })
    await webhooks.ledger.submit({})
    await webhooks.fanOutAll()
    await change(webhooks.ledger.masterKey, next)
    try {
      expect(await webhooks.deliverDue()).toEqual(['done', 'done'])
      expect(await webhooks.deliveries(id)).toMatchObject([{ status: 'pending', attempts: 0, error: null }])
      expect(await webhooks.deliveries(plain.id)).toMatchObject([{ status: 'success' }])
      // Nothing holds the endpoint, so the other server need not wait.
      expect(await webhooks.deliverDue({ masterKey: next })).toEqual(['done'])
      expect(await webhooks.deliveries(id)).toMatchObject([{ status: 'success', attempts: 1 }])
      expect(receiver.heard.map(({ path, headers }) => [path, headers.authorization])).toEqual([
        ['/plain', undefined],
        ['/x', 'Bearer a secret'],
      ])
    } finally {
      await change(next, webhooks.ledger.masterKey)
    }
  })

  it('is told apart from a value that was changed', async () => {
    await withSecrets()
    const [leased] = await webhooks.query<Parameters<typeof openTarget>[1]>(
      'SELECT *, updated_at::text AS updated_at FROM webhook_endpoints',
    )
    if (leased === undefined) throw new Error('There is no endpoint.')
    await change(webhooks.ledger.masterKey, next)
    try {
      // What was read before the change opens still.
      expect(await openTarget(sealing(), leased)).toHaveProperty('letterhead')
      await spoil('sealed_auth_secret')
      const spoilt = { ...leased, sealed_auth_secret: Buffer.from('no sealed value') }
      await expect(openTarget(sealing(), spoilt)).rejects.toMatchObject({ code: 'master_key_changed' })
      expect(await openTarget({ ...sealing(), masterKey: next }, spoilt)).toHaveProperty('unopened')
    } finally {
      await webhooks.query('DELETE FROM webhook_endpoints')
      await change(next, webhooks.ledger.masterKey)
    }
  })
})
