// The service does what its document says: status, headers and body of whatever is asked of it are documented ones.

import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { inviteMember } from '../../server/domain/accounts/invite_member.ts'
import { recordObservation } from '../../server/domain/ledger/observation.ts'
import { createSigner } from '../../server/domain/ledger/signing_key.ts'
import { addressRanges } from '../../server/kernel/addresses.ts'
import { newUuid7 } from '../../server/kernel/identifiers.ts'
import { commitBlocks } from '../domain/proofs/seed_commitment.ts'
import { type Answer, ask } from '../support/http.ts'
import { sizeOf } from '../support/sizes.ts'
import { testApp } from '../support/test_app.ts'
import { asSchema, type Checker, type Schema, violations } from '../surfaces/openapi/json_schema.ts'
import {
  type DocumentedOperation,
  type DocumentedResponse,
  openDocument,
  operationsOf,
  resolver,
} from '../surfaces/openapi/open_document.ts'
import { documentedValue, type MadeRequest, type Pool, requestsFor } from './openapi_requests.ts'

const RUNS = sizeOf('documented_requests')

const app = testApp({ webhooks: { allow: addressRanges('127.0.0.1') } })
let pool: Pool
let document: Schema
let checker: Checker
const operations = operationsOf(openDocument())

beforeAll(async () => {
  document = asSchema((await ask(app.port, '/api/json/open_api')).json())
  checker = { resolve: resolver(document), closed: true }
  pool = await populate()
})

describe('every operation answers as documented', () => {
  it.each(operations.map((one) => [one.id, one] as const))('%s', async (_, operation) => {
    const requests = requestsFor({ resolve: checker.resolve, pool }, operation)
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        expect(differences(operation, await send(operation, request))).toEqual([])
      }),
      { numRuns: RUNS, seed: 20_261_120 },
    )
  })

  it.each(operations.map((one) => [one.id, one] as const))(
    '%s, when it is asked by the book',
    async (_, operation) => {
      const [success = 200] = operation.responses.keys()
      const mended = mend(operation)
      const answer = await send(operation, mended)
      expect(differences(operation, answer)).toEqual([])
      if (!SPENT.has(operation.id)) expect(answer.status, answer.text).toBe(success)
    },
  )

  it.each(operations.filter(({ method }) => method === 'GET').map((one) => [one.id, one] as const))(
    '%s takes every parameter it documents, with every kind of value',
    async (_, operation) => {
      for (const parameter of operation.parameters.filter(({ in: place }) => place === 'query')) {
        // Made by the service, and for the caller's teams alone.
        if (['page[after]', 'page[before]', 'after', 'tenant'].includes(parameter.name)) continue
        const values = fc.sample(documentedValue({ resolve: checker.resolve, pool }, parameter), {
          numRuns: parameter.style === 'deepObject' ? RUNS : 4,
          seed: 20_261_120,
        })
        for (const pairs of values) {
          const query = new URLSearchParams(pairs.map((pair) => [...pair]))
          const request = mend(operation)
          const answer = await send(operation, { ...request, path: `${request.path}?${query}` })
          expect([answer.status, differences(operation, answer)], `${query} ${answer.text}`).toEqual([
            200,
            [],
          ])
        }
      }
    },
  )

  it('answers proofs as documented in every form there is', async () => {
    const operation = operations.find(({ id }) => id === 'generateProof')
    if (operation === undefined) throw new Error('No proof is generated.')
    const { path } = mend(operation)
    const subjects = [
      ['item', pool['generateProof.id']?.[0]],
      ['block', pool.block?.[0]],
      ['beacon', pool.block?.[0]],
    ]
    for (const [type, id] of subjects)
      for (const layout of ['published', 'compact'])
        for (const format of ['json', 'cbor']) {
          const answer = await send(operation, {
            path,
            headers: {},
            body: { data: { id, type, layout, format } },
          })
          expect([answer.status, differences(operation, answer)], answer.text).toEqual([201, []])
        }
  })

  it('refuses without a credential, in another type, with the wrong Accept, and to be changed', async () => {
    for (const operation of operations) {
      const request = mend(operation)
      const asked = async (headers: Record<string, string>, key?: string) => {
        const answer = await send(operation, { ...request, headers }, key)
        expect(differences(operation, answer), operation.id).toEqual([])
        return answer.status
      }
      expect(await asked({}, '')).toBe(401)
      expect(await asked({ Accept: 'application/vnd.api+json; ext="x"' })).toBe(406)
      expect(await asked({ tenant: 'nobody' })).toBe(403)
      if (operation.body !== undefined) {
        expect(await asked({ 'Content-Type': 'text/plain' })).toBe(415)
      }
    }
  })

  it('answers 304 where it is documented, and nowhere else', async () => {
    for (const operation of operations.filter(({ method }) => method === 'GET')) {
      const request = mend(operation)
      const { headers } = await send(operation, request)
      expect(headers.etag !== undefined, operation.id).toBe(operation.responses.has(304))
      if (headers.etag === undefined) continue
      const again = await send(operation, { ...request, headers: { 'If-None-Match': headers.etag } })
      expect([again.status, differences(operation, again)]).toEqual([304, []])
    }
  })

  it('answers methods that are not documented with the documented 405', async () => {
    const refused = operationsOf({
      ...document,
      paths: {
        '/': {
          get: {
            operationId: 'x',
            tags: ['x'],
            parameters: [],
            responses: { 405: { $ref: '#/components/responses/MethodNotAllowed' } },
          },
        },
      },
    })
    const [operation] = refused
    if (operation === undefined) throw new Error('There is no 405.')
    for (const path of new Set(operations.map((one) => one.path))) {
      const answer = await ask(app.port, path.replaceAll(/\{\w+\}/g, 'x'), {
        method: 'PUT',
        key: app.owner.key,
      })
      expect([answer.status, differences(operation, answer)]).toEqual([405, []])
      expect(answer.headers.allow, path).toBeDefined()
    }
  })
})

/**
 * An invitation is good once, and for somebody else; the budget of tests is gone by then; and the account has no
 * password.
 */
const SPENT: ReadonlySet<string> = new Set(['acceptInvitation', 'testWebhookEndpoint', 'changePassword'])

/** Actions whose example names an item that must exist. */
const OF_AN_ITEM: ReadonlySet<string> = new Set(['generateProof', 'exportOpentimestamps'])

/** The documented example, with records that exist in the place of those in it. */
function mend(operation: DocumentedOperation): MadeRequest {
  const inPath = operation.parameters.filter((one) => one.in === 'path')
  const known = (name: string): string =>
    pool[`${operation.id}.${name}`]?.[0] ??
    pool[`${operation.tag}.${name}`]?.[0] ??
    pool[operation.tag]?.[0] ??
    'none'
  const path = inPath.reduce((at, { name }) => at.replace(`{${name}}`, known(name)), operation.path)
  const body = JSON.parse(JSON.stringify(operation.body?.example ?? null), (name, value: unknown) => {
    if (name === 'id' && (operation.method === 'PATCH' || OF_AN_ITEM.has(operation.id))) return known('id')
    return name === 'team_id' ? pool.own_team?.[0] : value
  })
  return { path, headers: {}, body }
}

async function send(
  { method, body: documented }: DocumentedOperation,
  { path, headers, body }: MadeRequest,
  key = app.owner.key,
): Promise<Answer> {
  return ask(app.port, path, {
    method,
    headers: {
      ...(documented === undefined ? {} : { 'Content-Type': 'application/vnd.api+json' }),
      ...headers,
    },
    ...(key === '' ? {} : { key }),
    ...(documented === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

/** How an answer differs from what the document says; nothing when it does not. */
function differences(operation: DocumentedOperation, answer: Answer): string[] {
  const documented = operation.responses.get(answer.status)
  if (documented === undefined)
    return [`status ${answer.status} is not documented: ${answer.text.slice(0, 500)}`]
  return [...headerDifferences(documented, answer), ...bodyDifferences(documented, answer)]
}

const TOLD = ['etag', 'location', 'retry-after', 'ratelimit', 'ratelimit-policy', 'www-authenticate', 'allow']
const ALWAYS = ['etag', 'location', 'ratelimit', 'ratelimit-policy', 'allow']

function headerDifferences({ headers }: DocumentedResponse, answer: Answer): string[] {
  const documented = headers.map((name) => name.toLowerCase())
  return [
    ...TOLD.filter((name) => answer.headers[name] !== undefined && !documented.includes(name)).map(
      (name) => `${answer.status} has ${name}, which is not documented`,
    ),
    ...ALWAYS.filter((name) => documented.includes(name) && answer.headers[name] === undefined).map(
      (name) => `${answer.status} has no ${name}`,
    ),
  ]
}

function bodyDifferences({ content }: DocumentedResponse, answer: Answer): string[] {
  const type = answer.headers['content-type']
  if (content.size === 0) return answer.text === '' ? [] : [`${answer.status} has a body`]
  // Insufficient scope, as documented in prose.
  if (answer.status === 403 && answer.text === '') return []
  const schema = content.get(type ?? '')
  if (schema === undefined) return [`${answer.status} is of type ${type}`]
  const wrong = violations(checker, schema, answer.json())
  return wrong.length === 0 ? [] : [...wrong, answer.text.slice(0, 500)]
}

/** A little of everything, and the ids of it by the tag of the operations that take them. */
async function populate(): Promise<Pool> {
  const ids = async (path: string, bodies: readonly unknown[]): Promise<string[]> => {
    const answers = await Promise.all(
      bodies.map((json) => ask(app.port, path, { key: app.owner.key, body: { json } })),
    )
    return answers.map((answer) => {
      expect(answer.status, answer.text).toBe(201)
      return String(asSchema(asSchema(answer.json()).data).id)
    })
  }
  const document = (type: string, attributes: object) => ({ data: { type, attributes } })
  const claims = { name: 'a file', hash: 'ab'.repeat(32), hash_type: 'sha256' }
  const item = await ids('/api/json/items', Array(4).fill(document('item', { claims, tags: ['a'] })))
  // Nobody changes this one.
  const [proven = ''] = await ids('/api/json/items', [document('item', { claims })])
  const team = await ids('/api/json/teams', Array(3).fill(document('team', { name: 'A team' })))
  const keys = await ids('/api/json/api-keys', Array(4).fill(document('api_key', { name: 'spare' })))
  await app.finalize(3)
  const blocks = await app.query<{ id: string; hash: string }>(
    `SELECT id, encode(block_hash, 'hex') AS hash FROM blocks ORDER BY height DESC`,
  )
  const others = await Promise.all(['grace', 'alan', 'joan'].map((name) => app.account(name)))
  const membersOf = async (teamId = ''): Promise<string[]> => {
    for (const { userId } of others) await app.join(teamId, userId, 'member')
    const joined = await app.query<{ id: string }>(
      'SELECT id FROM memberships WHERE team_id = $1 AND user_id <> $2',
      [teamId, app.owner.userId],
    )
    return joined.map(({ id }) => id)
  }
  // Those that are asked for by the book are kept out of what else happens.
  const [got = '', updated = '', deleted = ''] = await membersOf(team[1])
  const waiting = await inviteMember(app.store.em(), app.owner.userId, {
    teamId: team[1] ?? '',
    email: 'x@example.com',
    role: 'member',
  })
  const block = blocks.map(({ id }) => id)
  const [observation, epoch, commitment] = await published()
  // Nobody listens there, which is soon found out.
  const hook = { url: 'https://127.0.0.1:1/', resource_type: 'item', events: ['item.deleted'] }
  const endpoint = await ids(
    '/api/json/webhook-endpoints',
    Array(10).fill(document('webhook_endpoint', hook)),
  )
  const pulled = { kind: 'pull', resource_type: 'item', events: ['item.deleted'], signing: 'v1' }
  const [asked = '', rotated = ''] = await ids(
    '/api/json/webhook-endpoints',
    Array(2).fill(document('webhook_endpoint', pulled)),
  )
  const delivery = await Promise.all(
    // The one that is asked has something to answer, so nobody waits for it.
    [...endpoint.slice(0, 2), asked].map(async (id) => {
      const test = { key: app.owner.key, body: { json: { data: {} } } }
      const answer = await ask(app.port, `/api/json/webhook-endpoints/${id}/test`, test)
      return String(asSchema(asSchema(answer.json()).result).id)
    }),
  )
  const [session, allowed] = await signedIn()
  return {
    item,
    team,
    session: session.slice(2),
    'getSession.id': session.slice(0, 1),
    'deleteSession.id': session.slice(1, 2),
    allowed_application: allowed.slice(2),
    'getAllowedApplication.id': allowed.slice(0, 1),
    'deleteAllowedApplication.id': allowed.slice(1, 2),
    own_team: team,
    api_key: keys,
    block,
    beacon: block,
    entropy_observation: [observation],
    epoch: [epoch],
    commitment: [commitment],
    'beacon.hash': blocks.map(({ hash }) => hash),
    membership: await membersOf(team[0]),
    'getMembership.id': [got],
    'updateMembership.id': [updated],
    'deleteMembership.id': [deleted],
    'reissueMembership.id': [waiting.membership.id],
    'generateProof.id': [proven],
    'exportOpentimestamps.id': [proven],
    webhook_endpoint: endpoint.slice(5),
    webhook_endpoint_statistics: endpoint.slice(0, 1),
    'getWebhookEndpoint.id': endpoint.slice(0, 1),
    'updateWebhookEndpoint.id': endpoint.slice(2, 3),
    'deleteWebhookEndpoint.id': endpoint.slice(3, 4),
    'testWebhookEndpoint.id': endpoint.slice(4, 5),
    'recoverWebhookEndpoint.id': endpoint.slice(4, 5),
    'listWebhookEndpointEvents.id': [asked],
    'rotateWebhookEndpointSecret.id': [rotated],
    webhook_delivery: delivery,
    user: [app.owner.userId, ...others.map(({ userId }) => userId)],
    Uuid7: [...block.slice(0, 2), ...team],
    Hex64: blocks.map(({ hash }) => hash).slice(0, 2),
    Ulid: item,
  }
}

/** Browsers in which the owner is signed in, and applications that the owner allowed something. */
async function signedIn(): Promise<[string[], string[]]> {
  const owned = (table: 'oauth_sessions' | 'oauth_grants', column: string, value: string) =>
    Promise.all(
      Array.from({ length: 3 }, async () => {
        const id = newUuid7()
        await app.query(
          `INSERT INTO ${table} (id, user_id, ${column} payload, expires_at)
           VALUES ($1, $2, ${value} '{}', pharos_now() + interval '1 day')`,
          [id, app.owner.userId],
        )
        return id
      }),
    )
  return [await owned('oauth_sessions', '', ''), await owned('oauth_grants', 'client_id,', `'a client',`)]
}

/** What no request makes: an observation, an epoch of all blocks so far and its commitment. */
async function published(): Promise<[string, string, string]> {
  const em = app.store.em()
  const recorded = await recordObservation(
    { em, signer: createSigner({ masterKey: app.masterKey }) },
    { source: 'entropy_nist', payload: { pulse: 1 }, publishedAt: null },
  )
  if (recorded.outcome !== 'recorded') throw new Error('It was known already.')
  await commitBlocks({ em })
  const [committed] = await app.query<{ id: string; epoch_id: string }>(
    'SELECT id, epoch_id FROM commitments',
  )
  return [recorded.id, committed?.epoch_id ?? '', committed?.id ?? '']
}
