// Signing over the API: a secret is in the answer that made it and in no other, and rotating needs the scope to write.
import { afterAll, describe, expect, it } from 'vitest'
import { accessToken } from '../../support/access_token.ts'
import { type Answer, ask } from '../../support/http.ts'
import { testApp } from '../../support/test_app.ts'
import { errorsOf, type Resource, refusals, resourceOf } from './documents.ts'

const app = testApp()
afterAll(() => {
  expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
})

const PATH = '/api/json/webhook-endpoints'
const SECRET = /whsec_[A-Za-z0-9+/]{43}=/

const create = (attributes: object) =>
  ask(app.port, PATH, {
    key: app.owner.key,
    body: {
      json: {
        data: {
          type: 'webhook_endpoint',
          attributes: {
            url: 'https://hooks.example.com/x',
            resource_type: 'item',
            events: ['item.created'],
            ...attributes,
          },
        },
      },
    },
  })
const rotate = (id: string, data: object = {}, key = app.owner.key) =>
  ask(app.port, `${PATH}/${id}/rotate-secret`, { key, body: { json: { data } } })
const resultOf = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(201)
  return (answer.json() as { result: Record<string, unknown> }).result
}
const madeBy = (answer: Answer) => {
  expect(answer.status, answer.text).toBe(201)
  const { data, meta } = answer.json() as { data: Resource; meta: Record<string, unknown> }
  return { ...data, meta }
}

describe('a secret', () => {
  it('is told by creating, by rotating, and by nothing else', async () => {
    const { id, attributes, meta } = madeBy(await create({ signing: 'v1' }))
    expect(attributes).toMatchObject({ signing: 'v1', public_keys: [] })
    const first = String(meta.signing_secret)
    expect(first).toMatch(SECRET)
    const rotated = resultOf(await rotate(id))
    const second = String(rotated.signing_secret)
    expect(second).toMatch(SECRET)
    expect(second).not.toBe(first)
    expect(rotated).toMatchObject({ public_keys: [], former_until: expect.stringMatching(/^20/) })
    const seen = [
      (await ask(app.port, `${PATH}/${id}`, { key: app.owner.key })).text,
      (await ask(app.port, PATH, { key: app.owner.key })).text,
      (
        await ask(app.port, `${PATH}/${id}`, {
          method: 'PATCH',
          key: app.owner.key,
          body: { json: { data: { type: 'webhook_endpoint', id, attributes: { description: 'x' } } } },
        })
      ).text,
      (await ask(app.port, `${PATH}/${id}`, { method: 'DELETE', key: app.owner.key })).text,
      JSON.stringify(app.logged),
    ]
    for (const text of seen)
      for (const secret of [first, second]) expect(text).not.toContain(secret.replace('whsec_', ''))
  })

  it('is told by GraphQL the same way', async () => {
    const query = async (text: string): Promise<Record<string, Record<string, unknown>>> => {
      const answer = await ask(app.port, '/gql', {
        key: app.owner.key,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: text }),
      })
      return (answer.json() as { data: Record<string, Record<string, unknown>> }).data
    }
    const input = `{url: "https://hooks.example.com/x", resourceType: "item", events: ["item.created"], signing: V1}`
    const { createWebhookEndpoint: made } = await query(
      `mutation { createWebhookEndpoint(input: ${input}) { result { id signing publicKeys } signingSecret errors { code } } }`,
    )
    expect(made).toMatchObject({
      result: { signing: 'V1', publicKeys: [] },
      signingSecret: expect.stringMatching(SECRET),
      errors: [],
    })
    const { id } = (made?.result ?? expect.fail('nothing was made')) as { id: string }
    const { rotateWebhookEndpointSecret: rotated } = await query(
      `mutation { rotateWebhookEndpointSecret(id: "${id}", overlap: 0) { result errors { code } } }`,
    )
    expect(JSON.parse(String(rotated?.result))).toEqual({
      signing_secret: expect.stringMatching(SECRET),
      public_keys: [],
      former_until: null,
    })
  })

  it('is none with v1a, whose public key is in the resource', async () => {
    const { id, attributes, meta } = madeBy(await create({ signing: 'v1a' }))
    expect(meta).toEqual({})
    expect(attributes.public_keys).toEqual([expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/)])
    const rotated = resultOf(await rotate(id, { overlap: 60 }))
    expect(rotated).not.toHaveProperty('signing_secret')
    const shown = resourceOf(await ask(app.port, `${PATH}/${id}`, { key: app.owner.key }))
    expect(shown.attributes.public_keys).toEqual(rotated.public_keys)
    expect(shown.attributes.public_keys).toHaveLength(2)
    expect(shown.attributes.former_until).toBe(rotated.former_until)
    const found = await ask(app.port, `${PATH}?filter[signing]=v1a`, { key: app.owner.key })
    expect((found.json() as { data: { id: string }[] }).data.map((one) => one.id)).toEqual([id])
  })
})

describe('rotating', () => {
  it('is refused without signing, for somebody else’s endpoint, and for an overlap beyond a week', async () => {
    const { id: unsigned } = madeBy(await create({}))
    expect(refusals(await rotate(unsigned))).toEqual(['409 conflict'])
    const { id } = madeBy(await create({ signing: 'v1' }))
    const stranger = await app.account('grace')
    expect(refusals(await rotate(id, {}, stranger.key))).toEqual(['404 not_found'])
    for (const overlap of [-1, 604_801, 1.5, '60'])
      expect(refusals(await rotate(id, { overlap }))).toEqual(['400 invalid_argument /data/overlap'])
    expect(resultOf(await rotate(id, { overlap: 604_800 }))).toHaveProperty('signing_secret')
  })

  it('needs the scope to write', async () => {
    const { id } = madeBy(await create({ signing: 'v1' }))
    const reader = await accessToken(app, { userId: app.owner.userId, scopes: ['api:read'] })
    const answer = await rotate(id, {}, reader.token)
    expect([answer.status, answer.text]).toEqual([403, ''])
    expect(answer.headers['www-authenticate']).toContain('api:write')
  })
})

it.each(['Webhook-Signature', 'webhook-timestamp'])('a custom header cannot be called %s', async (name) => {
  const answer = await create({ custom_headers: { [name]: 'x' } })
  expect(errorsOf(answer).map(({ meta }) => meta.reason)).toEqual(['forbidden_header'])
})
