// The statistics of an endpoint over JSON:API and GraphQL: a retrying delivery shows, and whose endpoint it is counts.
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { askGraphql, graphqlOf } from '../graphql/ask_graphql.ts'
import { errorsOf, resourceOf } from './documents.ts'

const PATH = '/api/json/webhook-endpoints'

const app = testApp()
let id: string
beforeAll(async () => {
  const attributes = { url: 'https://hooks.example.com/', resource_type: 'item', events: ['item.created'] }
  const json = { data: { type: 'webhook_endpoint', attributes } }
  id = resourceOf(await ask(app.port, PATH, { key: app.owner.key, body: { json } }), 201).id
  await app.query(
    `INSERT INTO webhook_deliveries (id, user_id, endpoint_id, event_type, resource_type, resource_id, message_id,
                                     creator_id, team_id, visibility, status, attempts, duration_ms, error, payload,
                                     next_attempt_at, last_attempt_at)
     VALUES ('d', $1, $2, 'item.created', 'item', 'r', 'm', $1, $3, 'private', 'pending', 2, 12,
             'the receiver answered 500', '{}', pharos_now() + interval '1 hour', pharos_now())`,
    [app.owner.userId, id, app.owner.teamId],
  )
})

const read = (of: string, key = app.owner.key) => ask(app.port, `${PATH}/${of}/statistics`, { key })

describe('the statistics of an endpoint', () => {
  it('are bare, and the same in GraphQL', async () => {
    const answer = await read(id)
    expect(answer.status).toBe(200)
    const shown = z.looseObject({ hours: z.array(z.looseObject({})).length(24) }).parse(answer.json())
    expect(shown).toMatchObject({
      id,
      success: 0,
      failed: 0,
      retrying: 1,
      pending: 0,
      cancelled: 0,
      duration_p50_ms: 12,
      duration_p95_ms: 12,
      newest_error: 'the receiver answered 500',
    })
    const fields =
      'id success failed retrying pending cancelled durationP50Ms durationP95Ms newestError newestErrorAt hours'
    const query = `{ getWebhookEndpointStatistics(id: "${id}") { ${fields} } }`
    const { data, errors } = graphqlOf(await askGraphql(app.port, app.owner.key, query))
    expect(errors).toBeUndefined()
    const told = z.looseObject({ hours: z.string() }).parse(data?.getWebhookEndpointStatistics)
    const { duration_p50_ms, duration_p95_ms, newest_error, newest_error_at, ...same } = shown
    expect({ ...told, hours: JSON.parse(told.hours) }).toEqual({
      ...same,
      durationP50Ms: duration_p50_ms,
      durationP95Ms: duration_p95_ms,
      newestError: newest_error,
      newestErrorAt: newest_error_at,
    })
  })

  it('are 404 like the endpoint itself, whatever stands for its id', async () => {
    const stranger = await app.account('grace')
    const without = (errors: readonly object[]) => errors.map((one) => ({ ...one, id: '' }))
    for (const [of, key] of [
      [id, stranger.key],
      ['01a2ce8e-9320-7630-bb7f-73edc8868b1d', app.owner.key],
      ['no id at all', app.owner.key],
      ['x'.repeat(200), app.owner.key],
    ] as const) {
      const at = encodeURIComponent(of)
      const answer = await read(at, key)
      expect(answer.status).toBe(404)
      const itself = await ask(app.port, `${PATH}/${at}`, { key })
      expect(without(errorsOf(answer))).toEqual(without(errorsOf(itself)))
    }
  })
})
