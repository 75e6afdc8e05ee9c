// Items over GraphQL: submitted, changed, redacted, restored and destroyed; refusals stand in the result.
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { claimsOf } from '../../support/ledger.ts'
import { testApp } from '../../support/test_app.ts'
import { ERRORS, fieldValue, outcome, refusalsOf } from './ask_field.ts'
import { askGraphql, codesOf, graphqlOf } from './ask_graphql.ts'

const app = testApp()
afterAll(async () => {
  expect(app.logged.filter(({ level }) => level === 'error')).toEqual([])
})

const shown = z.looseObject({ id: z.string().length(26) })
const result = z.looseObject({ result: shown, errors: z.tuple([]) })
const mutate = async (query: string, variables: object = {}) =>
  (await fieldValue(app.port, app.owner.key, result, query, variables)).result
const refusals = (query: string, variables: object = {}) =>
  refusalsOf(app.port, app.owner.key, query, variables)

const CREATE = `mutation ($input: CreateItemInput!) { createItem(input: $input) { result {
  id state claims claimsHash visibility tags expiresAt teamId creator { id email } team { name role } block { id } } ${ERRORS} } }`
const claims = JSON.stringify(claimsOf('a file'))
const create = (input: object = {}) => mutate(CREATE, { input: { claims, ...input } })

describe('createItem', () => {
  it('records the item and shows it, relationships included', async () => {
    const item = await create({ visibility: 'TEAM', tags: ['one', 'two'] })
    expect(item).toMatchObject({
      state: 'created',
      visibility: 'team',
      tags: ['one', 'two'],
      expiresAt: null,
      teamId: app.owner.teamId,
      creator: { id: app.owner.userId, email: 'ada@example.com' },
      team: { role: 'OWNER' },
      block: null,
    })
  })

  it('takes null for what is not set', async () => {
    expect(await create({ visibility: null, tags: null, expiresAt: null })).toMatchObject({
      visibility: 'private',
      tags: [],
    })
  })

  it('refuses what is wrong in the result, all mistakes at once', async () => {
    expect(await refusals(CREATE, { input: { claims: '{"name":5}', tags: ['x', 'x'] } })).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^invalid_attribute claims name/),
        expect.stringMatching(/^invalid_attribute tags/),
      ]),
    )
  })

  it.each(['{', '', '{"a":1,"a":2}', '"\\ud800"', '[', '1e999'])(
    'refuses claims that the strict reader refuses as invalid_json: %j',
    async (text) => {
      expect(await refusals(CREATE, { input: { claims: text } })).toEqual(['invalid_json claims'])
    },
  )

  it.each(['[]', '5', 'null', '"x"'])('refuses claims that are no object: %s', async (text) => {
    expect(await refusals(CREATE, { input: { claims: text } })).toHaveLength(1)
  })

  it('refuses an input that is not of its type as a request', async () => {
    for (const input of [{}, { claims: {} }, { claims, visibility: 'private' }, { claims, unknown: 1 }])
      expect(codesOf(await askGraphql(app.port, app.owner.key, CREATE, { variables: { input } }))).toEqual([
        'invalid_argument',
      ])
  })
})

describe('changes', () => {
  it('updateItem changes what is given, and leaves the rest', async () => {
    const { id } = await create({ tags: ['old'] })
    const change = `mutation ($id: ID!, $input: UpdateItemInput) { updateItem(id: $id, input: $input) { result { id tags visibility } ${ERRORS} } }`
    expect(await mutate(change, { id, input: { visibility: 'PUBLIC' } })).toEqual({
      id,
      tags: ['old'],
      visibility: 'public',
    })
    expect(await mutate(change, { id })).toMatchObject({ visibility: 'public' })
    expect(await refusals(change, { id: 'unknown', input: {} })).toEqual(['not_found'])
    expect(await refusals(change, { id: '\0', input: {} })).toEqual(['not_found'])
  })

  it('redactItem erases the claims, unredactItem restores only those, destroyItem removes the item', async () => {
    const { id, claims: text } = await create()
    const redact = `mutation ($id: ID!) { redactItem(id: $id) { result { id state claims } ${ERRORS} } }`
    expect(await mutate(redact, { id })).toEqual({ id, state: 'redacted', claims: null })
    const restore = `mutation ($id: ID!, $input: UnredactItemInput!) { unredactItem(id: $id, input: $input) { result { id state claims } ${ERRORS} } }`
    expect(await refusals(restore, { id, input: { claims: '{"name":"another"}' } })).toHaveLength(1)
    expect(await mutate(restore, { id, input: { claims: text } })).toEqual({
      id,
      state: 'created',
      claims: text,
    })
    const destroy = `mutation ($id: ID!) { destroyItem(id: $id) { result { id } ${ERRORS} } }`
    expect(await mutate(destroy, { id })).toEqual({ id })
    expect(await refusals(destroy, { id })).toEqual(['not_found'])
    const get = await askGraphql(app.port, app.owner.key, `{ getItem(id: "${id}") { id } }`)
    expect(graphqlOf(get)).toEqual({ data: { getItem: null } })
  })

  it("refuses somebody else's item like an unknown one", async () => {
    const { id } = await create()
    const stranger = await app.account('mallory')
    const redact = `mutation ($id: ID!) { redactItem(id: $id) { result { id } ${ERRORS} } }`
    expect(await refusalsOf(app.port, stranger.key, redact, { id })).toEqual(['not_found'])
  })

  it('runs several mutations of a request one after the other', async () => {
    const { id } = await create()
    const both = `mutation { a: redactItem(id: "${id}") { result { state } } b: redactItem(id: "${id}") { result { state } } }`
    const { data } = graphqlOf(await askGraphql(app.port, app.owner.key, both))
    expect(data).toEqual({ a: { result: { state: 'redacted' } }, b: { result: { state: 'redacted' } } })
  })
})

describe('batches, keys and invitations', () => {
  it('createItems answers each in its place', async () => {
    const items = JSON.stringify([{ claims: claimsOf('one') }, { claims: 5 }])
    const query = `mutation ($items: JsonString) { createItems(items: $items) { result ${ERRORS} } }`
    const told = await fieldValue(app.port, app.owner.key, outcome, query, { items })
    expect(JSON.parse(String(told.result))).toMatchObject({
      items: [{ id: expect.any(String) }, { errors: [{ code: 'invalid_attribute' }] }],
    })
    expect(await refusals(query)).toEqual(['required items'])
    expect(await refusals(query, { items: '[' })).toEqual(['invalid_json items'])
  })

  it('createApiKey shows the secret once, and the key works until it is destroyed', async () => {
    const made = await fieldValue(
      app.port,
      app.owner.key,
      z.looseObject({ secret: z.string(), result: z.looseObject({ id: z.string() }) }),
      `mutation { createApiKey(input: { name: "k" }) { secret result { id name prefix revokedAt } ${ERRORS} } }`,
    )
    const who = () => askGraphql(app.port, made.secret, '{ currentUser { id } }')
    expect(graphqlOf(await who()).data).toEqual({ currentUser: { id: app.owner.userId } })
    const gone = await fieldValue(
      app.port,
      app.owner.key,
      z.looseObject({ result: z.looseObject({ revokedAt: z.string() }) }),
      `mutation { destroyApiKey(id: "${made.result.id}") { result { revokedAt } ${ERRORS} } }`,
    )
    expect(gone.result.revokedAt).toMatch(/Z$/)
    expect((await who()).status).toBe(401)
  })

  it('createMembership shows the invitation once, and acceptInvitation takes it', async () => {
    const teamId = await app.team(app.owner)
    const invited = await fieldValue(
      app.port,
      app.owner.key,
      z.looseObject({ invitationUrl: z.string(), result: z.looseObject({ id: z.string() }) }),
      `mutation { createMembership(input: { teamId: "${teamId}", email: "eve@example.com", role: MEMBER }) { invitationUrl result { id state invitedEmail invitationExpiresAt role userId team { id } } ${ERRORS} } }`,
    )
    expect(invited.result).toMatchObject({ state: 'INVITED', userId: null, invitedEmail: 'eve@example.com' })
    const reissue = `mutation { reissueMembership(id: "${invited.result.id}") { result ${ERRORS} } }`
    const { result: renewed } = await fieldValue(app.port, app.owner.key, outcome, reissue)
    const { invitation_url: url } = z
      .object({ invitation_url: z.string() })
      .parse(JSON.parse(String(renewed)))
    const eve = await app.account('eve')
    const accept = `mutation ($token: String) { acceptInvitation(token: $token) { result ${ERRORS} } }`
    const { result: accepted } = await fieldValue(app.port, eve.key, outcome, accept, {
      token: url.split('#token=')[1],
    })
    expect(JSON.parse(String(accepted))).toEqual({ membership_id: invited.result.id })
    expect(await refusalsOf(app.port, eve.key, accept)).toEqual(['required token'])
  })
})
