// Webhooks over GraphQL: the published names and shapes, from creating an endpoint to hearing of its deliveries live.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addressRanges } from '../../../server/kernel/addresses.ts'
import { newUuid7 } from '../../../server/kernel/identifiers.ts'
import type { TestAccount } from '../../support/app.ts'
import { eventually } from '../../support/http.ts'
import { openReceiver, type Receiver, TEST_AUTHORITY } from '../../support/receiver.ts'
import { testApp } from '../../support/test_app.ts'
import { ERRORS, fieldValue, outcome, refusalsOf } from './ask_field.ts'
import { askGraphql, graphqlOf } from './ask_graphql.ts'
import { enterStream } from './stream_client.ts'

const app = testApp({ webhooks: { allow: addressRanges('127.0.0.0/8'), ca: TEST_AUTHORITY.cert } })
let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(async () => {
  expect(app.logged.filter(({ level }) => level === 'error').slice(0, 2)).toEqual([])
  await receiver.close()
})

const CREATE = `mutation ($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { result { id url events enabled authType resourceType } ${ERRORS} } }`

const result = z.looseObject({ id: z.string() })

async function create(input: object = {}, by: TestAccount = app.owner): Promise<z.infer<typeof result>> {
  const given = { url: receiver.url(), resourceType: 'item', events: ['item.created'], ...input }
  const made = await fieldValue(app.port, by.key, outcome, CREATE, { input: given })
  expect(made.errors).toEqual([])
  return result.parse(made.result)
}

const submit = async (by: TestAccount = app.owner): Promise<string> => {
  const claims = JSON.stringify({ name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' })
  const query = `mutation ($claims: JsonString!) { createItem(input: { claims: $claims }) { result { id } ${ERRORS} } }`
  return result.parse((await fieldValue(app.port, by.key, outcome, query, { claims })).result).id
}

const page = z.object({ count: z.number().nullish(), results: z.array(z.looseObject({ id: z.string() })) })

describe('endpoints', () => {
  it('are made with an enumeration for the authentication, and listed, got, changed and removed', async () => {
    const made = await create({
      authType: 'BEARER',
      authSecret: 'opensesame',
      customHeaders: JSON.stringify({ 'x-a': 'b' }),
    })
    expect(made).toMatchObject({
      url: receiver.url(),
      events: ['item.created'],
      enabled: true,
      authType: 'BEARER',
    })
    const list = await fieldValue(
      app.port,
      app.owner.key,
      page,
      `{ listWebhookEndpoints(sort: [{ field: URL, order: ASC }], filter: { enabled: { eq: true } }, first: 5) {
          count results { id customHeaderNames } startKeyset endKeyset } }`,
    )
    expect(list).toMatchObject({ count: 1, results: [{ id: made.id, customHeaderNames: ['x-a'] }] })
    const changed = await fieldValue(
      app.port,
      app.owner.key,
      outcome,
      `mutation ($id: ID!) { updateWebhookEndpoint(id: $id, input: { enabled: false, maxPerSecond: 50 }) {
          result { enabled disabledReason maxPerSecond } ${ERRORS} } }`,
      { id: made.id },
    )
    expect(changed).toMatchObject({
      result: { enabled: false, disabledReason: 'MANUAL', maxPerSecond: 50 },
      errors: [],
    })
    const gone = await fieldValue(
      app.port,
      app.owner.key,
      outcome,
      `mutation ($id: ID!) { destroyWebhookEndpoint(id: $id) { result { id } ${ERRORS} } }`,
      { id: made.id },
    )
    expect(gone).toMatchObject({ result: { id: made.id }, errors: [] })
    const { data } = graphqlOf(
      await askGraphql(app.port, app.owner.key, `{ getWebhookEndpoint(id: "${made.id}") { id } }`),
    )
    expect(data).toEqual({ getWebhookEndpoint: null })
  })

  it('are refused with the same codes and reasons, and no secret in what is told', async () => {
    const input = {
      url: 'http://127.0.0.1/',
      resourceType: 'item',
      events: ['item.none'],
      authType: 'BEARER',
      authSecret: 'open\nsesame',
      customHeaders: JSON.stringify({ Host: 'x' }),
    }
    const answer = await askGraphql(app.port, app.owner.key, CREATE, { variables: { input } })
    expect(answer.text).not.toContain('sesame')
    const { errors } = outcome.parse(Object.values(graphqlOf(answer).data ?? {})[0])
    expect(errors.map(({ code, fields, vars }) => [code, fields.join('.'), vars])).toEqual([
      ['invalid_attribute', 'url', { reason: 'not_https' }],
      ['invalid_attribute', 'events.0', { reason: 'unknown_event' }],
      ['invalid_attribute', 'authSecret', { reason: 'control_character' }],
      ['invalid_attribute', 'customHeaders.Host', { reason: 'forbidden_header' }],
    ])
  })
})

describe('a mistake in the input', () => {
  const good = { url: 'https://hooks.example.com/', resourceType: 'item', events: ['item.created'] }
  it.each([
    [{ ...good, authSecret: 'opensesame', nothing: 1 }],
    [{ resourceType: 'item', authSecret: 'open; sesame at "x"; y' }],
    [{ ...good, customHeaders: { 'x-a': 'opensesame' } }],
    [{ ...good, authSecret: { value: 'opensesame' } }],
    [{ ...good, authType: 'opensesame' }],
    [{ ...good, authSecret: ['opensesame'], url: 5 }],
  ])('is told without what was sent: %j', async (input) => {
    const answer = await askGraphql(app.port, app.owner.key, CREATE, { variables: { input } })
    const { errors } = graphqlOf(answer)
    expect(errors?.length).toBeGreaterThan(0)
    expect(answer.text).not.toContain('sesame')
    expect(JSON.stringify(app.logged)).not.toContain('sesame')
  })

  it('in the document itself neither', async () => {
    for (const given of [
      'authSecret: { a: "opensesame" }',
      'customHeaders: ["opensesame"]',
      'authType: opensesame',
    ]) {
      const query = `mutation { createWebhookEndpoint(input: { url: "https://a.b/", resourceType: "item",
        events: ["item.created"], ${given} }) { result { id } } }`
      const answer = await askGraphql(app.port, app.owner.key, query)
      expect(graphqlOf(answer).errors?.length).toBeGreaterThan(0)
      expect(answer.text).not.toContain('opensesame')
    }
  })
})

describe('deliveries', () => {
  it('are listed and got with their endpoint, payload and status', async () => {
    const endpoint = await create()
    const item = await submit()
    const query = `query ($id: ID!) { listWebhookDeliveries(filter: { endpointId: { eq: $id }, status: { eq: "SUCCESS" },
      endpoint: { enabled: { eq: true } } }, sort: [{ field: INSERTED_AT, order: DESC }]) {
        results { id status httpStatus attempts resourceId eventType messageId payload responseBody attemptLog
                  endpoint { id } insertedAt } } }`
    const [delivery] = await eventually(async () => {
      const found = await fieldValue(app.port, app.owner.key, page, query, { id: endpoint.id })
      return found.results.length === 1 ? found.results : undefined
    })
    expect(delivery).toMatchObject({
      status: 'SUCCESS',
      httpStatus: 200,
      attempts: 1,
      resourceId: item,
      eventType: 'item.created',
      endpoint: { id: endpoint.id },
    })
    expect(JSON.parse(String(delivery?.payload))).toMatchObject({ type: 'item.created', data: { id: item } })
    const got = await fieldValue(
      app.port,
      app.owner.key,
      result,
      `query ($id: ID!) { getWebhookDelivery(id: $id) { id status } }`,
      { id: delivery?.id },
    )
    expect(got).toEqual({ id: delivery?.id, status: 'SUCCESS' })
  })

  it('are made by a test, sent again, recovered and replayed', async () => {
    const { id } = await create()
    const tested = await fieldValue(
      app.port,
      app.owner.key,
      outcome,
      `mutation ($id: ID!) { testWebhookEndpoint(id: $id) { result { id status payload } ${ERRORS} } }`,
      { id },
    )
    expect(tested).toMatchObject({ result: { status: 'SUCCESS' }, errors: [] })
    const again = await fieldValue(
      app.port,
      app.owner.key,
      outcome,
      `mutation ($id: ID!) { redeliverWebhookDelivery(id: $id) { result { id status } ${ERRORS} } }`,
      { id: result.parse(tested.result).id },
    )
    expect(again).toMatchObject({ result: { status: 'PENDING' }, errors: [] })
    const recovered = await fieldValue(
      app.port,
      app.owner.key,
      outcome,
      `mutation ($id: ID!) { recoverWebhookEndpoint(id: $id, since: "2026-01-01T00:00:00Z") { result ${ERRORS} } }`,
      { id },
    )
    expect(recovered).toMatchObject({ result: '{"count":0}', errors: [] })
    const replay = `mutation ($id: ID!, $from: String, $until: DateTime) {
      replayWebhookEndpoint(id: $id, from: $from, until: $until, events: ["item.created"]) { result ${ERRORS} } }`
    const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-01T01:00:00Z']
    for (const from of [early, `${early}/${late}`])
      expect(
        await fieldValue(app.port, app.owner.key, outcome, replay, { id, from, until: late }),
      ).toMatchObject({ result: '{"count":0}', errors: [] })
    expect(
      await fieldValue(app.port, app.owner.key, outcome, replay, { id, from: late, until: early }),
    ).toMatchObject({ result: null, errors: [{ code: 'invalid_argument', fields: ['until'] }] })
    const stranger = await app.account('mallory')
    const refused = await fieldValue(
      app.port,
      stranger.key,
      outcome,
      `mutation ($id: ID!) { testWebhookEndpoint(id: $id) { result { id } ${ERRORS} } }`,
      { id },
    )
    expect(refused).toMatchObject({ result: null, errors: [{ code: 'not_found' }] })
  })
})

it('what is somebody else’s is not there for any operation', async () => {
  const owner = await app.account('alice')
  const stranger = await app.account('bob')
  await app.join(owner.teamId, stranger.userId, 'admin')
  const { id } = await create({}, owner)
  const tested = `mutation ($id: ID!) { testWebhookEndpoint(id: $id) { result { id } ${ERRORS} } }`
  const delivery = result.parse((await fieldValue(app.port, owner.key, outcome, tested, { id })).result)
  for (const [field, which] of [
    ['updateWebhookEndpoint(id: $id, input: { enabled: false }) { result { id }', id],
    ['destroyWebhookEndpoint(id: $id) { result { id }', id],
    ['testWebhookEndpoint(id: $id) { result { id }', id],
    ['recoverWebhookEndpoint(id: $id, since: "2026-01-01T00:00:00Z") { result', id],
    [
      'replayWebhookEndpoint(id: $id, from: "2026-01-01T00:00:00Z", until: "2026-01-01T00:00:00Z") { result',
      id,
    ],
    ['redeliverWebhookDelivery(id: $id) { result { id }', delivery.id],
  ] as const)
    for (const asked of [which, newUuid7()])
      expect(
        await refusalsOf(app.port, stranger.key, `mutation ($id: ID!) { ${field} ${ERRORS} } }`, {
          id: asked,
        }),
      ).toEqual(['not_found'])
  const { data } = graphqlOf(
    await askGraphql(
      app.port,
      stranger.key,
      `{ getWebhookEndpoint(id: "${id}") { id } getWebhookDelivery(id: "${delivery.id}") { id }
         listWebhookEndpoints { results { id } }
         listWebhookDeliveries(filter: { endpointId: { eq: "${id}" } }) { results { id } } }`,
    ),
  )
  expect(data).toEqual({
    getWebhookEndpoint: null,
    getWebhookDelivery: null,
    listWebhookEndpoints: { results: [] },
    listWebhookDeliveries: { results: [] },
  })
})

describe('webhookDeliveryEvents', () => {
  it('tells the owner of deliveries as they are made and change, as far as they match, and nobody else', async () => {
    const owner = await app.account('listener')
    const stranger = await app.account('eve')
    const { id } = await create({}, owner)
    const query = (filter: string) =>
      `subscription { webhookDeliveryEvents${filter} { created { id status } updated { id status endpoint { id } } destroyed } }`
    const mine = await enterStream(app.port, owner.key)
    const theirs = await enterStream(app.port, stranger.key)
    for (const client of [mine, theirs])
      client.say({ id: 'all', type: 'subscribe', payload: { query: query('') } })
    const done = '(filter: { status: { eq: "SUCCESS" } })'
    mine.say({ id: 'done', type: 'subscribe', payload: { query: query(done) } })
    mine.say({ type: 'ping' })
    await mine.hear('pong')
    const event = z.object({
      data: z.object({
        webhookDeliveryEvents: z.object({
          created: z.object({ id: z.string(), status: z.string() }).nullable(),
          updated: z.looseObject({ id: z.string(), status: z.string() }).nullable(),
          destroyed: z.null(),
        }),
      }),
    })
    // What is said before the reader has its place is not heard: begin again until one delivery was heard from its start.
    const updated = await eventually(async () => {
      await submit(owner)
      const told = mine.payloads('all').map((one) => event.parse(one).data.webhookDeliveryEvents)
      const made = new Set(told.map(({ created }) => created?.id))
      return told.map((one) => one.updated).find((one) => one !== null && made.has(one.id)) ?? undefined
    })
    expect(updated).toMatchObject({ status: 'SUCCESS', endpoint: { id } })
    await eventually(() => (mine.payloads('done').length > 0 ? true : undefined))
    for (const one of mine.payloads('done')) {
      const { created, updated: changed } = event.parse(one).data.webhookDeliveryEvents
      expect((created ?? changed)?.status).toBe('SUCCESS')
    }
    expect(theirs.payloads('all')).toEqual([])
    mine.socket.close()
    theirs.socket.close()
  })
})
