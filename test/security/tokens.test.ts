// Tokens at the wrong door, tokens that are none, and tokens that reach for more than they were given, on every
// surface. Which scope each single operation needs is in test/conformance/credentials.test.ts.
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUuid7 } from '../../server/kernel/identifiers.ts'
import { accessToken } from '../support/access_token.ts'
import type { TestApp } from '../support/app.ts'
import { type Answer, ask } from '../support/http.ts'
import { TEST_PASSWORD } from '../support/oauth.ts'
import { pingTools } from '../surfaces/agent/ping_tools.ts'
import { connect, refusedHandshake } from '../surfaces/console/console_client.ts'
import { openStream } from '../surfaces/graphql/stream_client.ts'
import { allow, CONSOLE, openScene, refreshing, type Scene, statusWith, type TokenAnswer } from './scene.ts'

let scene: Scene
let app: TestApp
let api: TokenAnswer
let tools: TokenAnswer
beforeAll(async () => {
  scene = await openScene()
  app = scene.app
  api = await allow(scene, { scope: 'api:read api:write console:read' })
  tools = await allow(scene, { scope: 'mcp:read mcp:write', resource: `${app.base}/mcp` })
})
afterAll(() => app.close())

const GRAPHQL = `/gql?query=${encodeURIComponent('{ currentUser { id } }')}`

/** Every way in that takes a token. Each answers the status that it would have, whatever its protocol. */
const DOORS: Readonly<
  Record<string, (token: string) => Promise<Pick<Answer, 'status' | 'text' | 'headers'>>>
> = {
  'JSON:API': (key) => ask(app.port, '/api/json/users/me', { key }),
  'JSON:API, writing': (key) =>
    ask(app.port, '/api/json/items', { key, body: { json: { data: { type: 'item', attributes: {} } } } }),
  GraphQL: (key) => ask(app.port, GRAPHQL, { key }),
  'agent tools': (key) => pingTools(app.port, key),
  'console stream': async (token) => {
    const refused = await refusedHandshake(app.base, { auth: { token } }).catch(() => ({ status: 200 }))
    return { status: refused?.status ?? 0, text: JSON.stringify(refused), headers: {} }
  },
  'GraphQL stream': async (token) => {
    const client = await openStream(app.port)
    client.say({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })
    const first = await Promise.race([
      client.closed.then(({ code, why }) => ({ status: code === 4403 ? 401 : code, text: why, headers: {} })),
      client.hear('connection_ack').then(() => ({ status: 200, text: '', headers: {} })),
    ])
    client.socket.close()
    return first
  },
}
const OF_TOOLS: ReadonlySet<string> = new Set(['agent tools'])

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const CLAIMS = () => ({
  iss: app.base,
  aud: app.base,
  sub: app.owner.userId,
  client_id: 'console',
  scope: 'api:read api:write account',
  exp: Math.floor(Date.now() / 1_000) + 900,
})

/** Signed by nobody, with a guessed secret, and with a key that its own header brings. */
function jwts(): readonly (readonly [string, string])[] {
  const body = part(CLAIMS())
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const hs = `${part({ alg: 'HS256', typ: 'at+jwt' })}.${body}`
  const rs = `${part({ alg: 'RS256', typ: 'at+jwt', jwk: publicKey.export({ format: 'jwk' }) })}.${body}`
  return [
    ['a JWT of nobody', `${part({ alg: 'none', typ: 'JWT' })}.${body}.`],
    ['a JWT of a guessed secret', `${hs}.${createHmac('sha256', 'secret').update(hs).digest('base64url')}`],
    ['a JWT with its own key', `${rs}.${createSign('sha256').update(rs).sign(privateKey, 'base64url')}`],
  ]
}

/** The answer without what differs from one answer to the next by design. */
const shape = ({ status, text, headers }: Pick<Answer, 'status' | 'text' | 'headers'>) => ({
  status,
  text: text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>'),
  challenge: headers['www-authenticate'],
})

describe('a token that is not valid here', () => {
  it('gets the same answer at each door, whatever is wrong with it', async () => {
    const expired = await accessToken(app, {
      userId: app.owner.userId,
      scopes: ['api:read'],
      lifetimeMs: -1_000,
    })
    const bad: readonly (readonly [string, string])[] = [
      ['unknown', 'A'.repeat(43)],
      ['expired', expired.token],
      ['too short', 'x'],
      ['a refresh token', api.refresh_token],
      ['an id of a token', expired.id],
      ['a user id', app.owner.userId],
      ['a key with a wrong end', `${app.owner.key.slice(0, -1)}${app.owner.key.endsWith('0') ? '1' : '0'}`],
      ['a form of SQL', `'or'1'='1`],
      ...jwts(),
    ]
    for (const [door, knock] of Object.entries(DOORS)) {
      const answers = await Promise.all(
        bad.map(async ([what, token]) => [what, shape(await knock(token))] as const),
      )
      const [, first] = answers[0] ?? []
      expect([door, first?.status]).toEqual([door, 401])
      for (const [what, answer] of answers) expect([door, what, answer]).toEqual([door, what, first])
      // Of the other resource, and a key where keys are unknown.
      const foreign = OF_TOOLS.has(door) ? [api.access_token, app.owner.key] : [tools.access_token]
      for (const token of foreign) expect([door, shape(await knock(token))]).toEqual([door, first])
      const own = OF_TOOLS.has(door) ? tools : api
      expect([door, (await knock(own.access_token)).status]).not.toEqual([door, 401])
    }
  })

  it('is refused in every other place than the header', async () => {
    const token = api.access_token
    const tries: readonly (readonly [string, Parameters<typeof ask>[2]])[] = [
      [`/api/json/users/me?access_token=${token}`, {}],
      ['/api/json/users/me', { headers: { Cookie: `access_token=${token}; pharos_session=${token}` } }],
      ['/api/json/users/me', { headers: { 'X-Api-Key': token } }],
      ['/api/json/users/me', { headers: { Authorization: token } }],
      [
        '/api/json/users/me',
        { headers: { Authorization: `Basic ${Buffer.from(`:${token}`).toString('base64')}` } },
      ],
      ['/api/json/users/me', { headers: { Authorization: `DPoP ${token}` } }],
      ['/api/json/users/me', { headers: { Authorization: `Bearer ${token},Bearer ${token}` } }],
      [
        '/api/json/users/me',
        { headers: { Authorization: `Bearer ${token}x`, 'X-Authorization': `Bearer ${token}` } },
      ],
    ]
    for (const [path, sent] of tries) expect((await ask(app.port, path, sent)).status).toBe(401)
    expect(await statusWith(app, token)).toBe(200)
  })

  it('cannot be slipped into an open stream', async () => {
    const client = await connect(app.base, api.access_token)
    for (const token of [tools.access_token, api.refresh_token, ...jwts().map(([, jwt]) => jwt)])
      expect(await client.ask('token.refresh', { token })).toMatchObject({ ok: false })
    const { account, token } = await strangersToken()
    expect(await client.ask('token.refresh', { token })).toMatchObject({ ok: false })
    expect(client.welcome.user.id).not.toBe(account.userId)
    client.socket.disconnect()
  })
})

const strangersToken = async () => {
  const account = await app.account('a-stranger')
  return { account, ...(await accessToken(app, { userId: account.userId, scopes: ['api:read'] })) }
}

describe('an application that a person allowed everything', () => {
  const ID = newUuid7()
  /** Each would outlast the grant, or take it from others. */
  const ROUTES: readonly (readonly [method: string, path: string, body: object | null])[] = [
    ['POST', '/api-keys', { data: { type: 'api_key', attributes: { name: 'mine now' } } }],
    ['DELETE', `/api-keys/${ID}`, null],
    [
      'POST',
      '/memberships',
      { data: { type: 'membership', attributes: { email: 'a@b.example', role: 'owner' } } },
    ],
    ['PATCH', `/memberships/${ID}`, { data: { type: 'membership', id: ID, attributes: { role: 'owner' } } }],
    ['DELETE', `/memberships/${ID}`, null],
    ['POST', `/memberships/${ID}/reissue`, { data: {} }],
    ['GET', '/sessions', null],
    ['DELETE', `/sessions/${ID}`, null],
    ['GET', '/allowed-applications', null],
    ['DELETE', `/allowed-applications/${ID}`, null],
    [
      'POST',
      '/users/me/password',
      { data: { current_password: TEST_PASSWORD, new_password: 'mine from now on' } },
    ],
  ]

  it.each(ROUTES)('cannot %s %s', async (method, path, body) => {
    const answer = await ask(app.port, `/api/json${path}`, {
      method,
      key: api.access_token,
      ...(body === null ? {} : { body: { json: body } }),
    })
    expect([answer.status, answer.text]).toEqual([403, ''])
    expect(answer.headers['www-authenticate']).toContain('error="insufficient_scope", scope="account"')
  })

  it('cannot do any of it in GraphQL, in whatever disguise', async () => {
    const KEY = 'createApiKey(input: {name: "mine now"}) { errors { code } }'
    const PASSWORD = `changePassword(currentPassword: "${TEST_PASSWORD}", newPassword: "mine from now on") { __typename }`
    for (const query of [
      `mutation { ${KEY} }`,
      `mutation { ${PASSWORD} }`,
      `mutation { a: ${KEY} b: ${KEY} }`,
      `mutation { ...F } fragment F on RootMutationType { x: ${KEY} }`,
      `mutation { ... on RootMutationType { ... { ${KEY} } } }`,
      `query A { currentUser { id } } mutation B { ${KEY} }`,
    ]) {
      const operationName = query.startsWith('query A') ? { operationName: 'B' } : {}
      const answer = await ask(app.port, '/gql', {
        key: api.access_token,
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ query, ...operationName }),
      })
      expect([query, answer.status, answer.text]).toEqual([query, 403, ''])
    }
    const keys = await app.query('SELECT name FROM api_keys WHERE name = $1', ['mine now'])
    expect(keys).toEqual([])
  })

  it('cannot have the scope of the console by asking, by its name, or by its client id', async () => {
    for (const scope of [
      'account',
      'api:read account',
      'ACCOUNT',
      'account api:read',
      'api:read%20account',
    ]) {
      const { scope: given } = await allow(scene, { scope: `api:read ${scope}` })
      expect(given).toBe('api:read')
    }
    // A row that should not be there is not believed either.
    const { token } = await accessToken(app, { userId: app.owner.userId, scopes: ['account', 'mcp:write'] })
    expect((await ask(app.port, '/api/json/api-keys', { key: token, method: 'POST' })).status).toBe(403)
    const asConsole = await ask(app.port, '/oauth/token', {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams(refreshing({ client: CONSOLE }, api.refresh_token))),
    })
    expect(asConsole.status).toBe(400)
  })
})
