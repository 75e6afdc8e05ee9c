// How an endpoint's last attempt decides with whom it shares places.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { updateEndpoint } from '../../../server/domain/webhooks/endpoints/change_endpoint.ts'
import { endpointClaims } from '../../../server/domain/webhooks/sending/due_deliveries.ts'
import { forgetWebhooks } from '../../support/forget_webhooks.ts'
import { openTestWebhooks, type TestWebhooks } from '../../support/webhooks.ts'

let webhooks: TestWebhooks
beforeAll(async () => {
  webhooks = await openTestWebhooks()
})
afterEach(() => forgetWebhooks(webhooks))
afterAll(() => webhooks.close())

const em = () => webhooks.ledger.store.em()

const endpoint = async (name: string, tookMs: number | null = null): Promise<string> => {
  const { id } = await webhooks.endpoint({ url: `https://127.0.0.1/${name}`, events: ['item.created'] })
  await webhooks.query('UPDATE webhook_endpoints SET last_duration_ms = $2 WHERE id = $1', [id, tookMs])
  return id
}

const standing = async (id: string) => (await endpointClaims(em(), [id])).get(id)?.standing

it('an endpoint is slow from a second on', async () => {
  for (const [tookMs, expected] of [
    [null, 'unknown'],
    [0, 'prompt'],
    [999, 'prompt'],
    [1_000, 'slow'],
    [15_000, 'slow'],
  ] as const)
    expect(await standing(await endpoint('', tookMs)), `${tookMs} ms`).toBe(expected)
})

it('an endpoint with another URL is unknown, whatever else of it stays', async () => {
  const id = await endpoint('old', 15_000)
  const { masterKey, userId } = webhooks.ledger
  const change = (wanted: Parameters<typeof updateEndpoint>[2]) =>
    updateEndpoint({ em: em(), masterKey }, { id, userId }, wanted)
  await change({ description: 'another' })
  expect(await standing(id)).toBe('slow')
  await change({ url: 'https://127.0.0.1/new' })
  expect(await standing(id)).toBe('unknown')
})
