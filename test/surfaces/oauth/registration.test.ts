// How clients become known: by registering, by a document of their own, or by an operator. And what they are told of us.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { LEDGER_COMMANDS } from '../../../server/commands/commands.ts'
import { addressRanges } from '../../../server/kernel/addresses.ts'
import { openTestApp } from '../../support/app.ts'
import { openBrowserJar } from '../../support/browser_jar.ts'
import {
  allowClient,
  authorizationRequest,
  discover,
  exchangeCode,
  givePassword,
  refresh,
  refusedAs,
  registerTestClient,
  signInAndConsent,
} from '../../support/oauth.ts'
import { openReceiver, type Receiver, TEST_AUTHORITY } from '../../support/receiver.ts'
import { testApp } from '../../support/test_app.ts'

const app = testApp({ webhooks: { allow: addressRanges('127.0.0.1'), ca: TEST_AUTHORITY.cert } })
let receiver: Receiver
beforeAll(async () => {
  receiver = await openReceiver()
})
afterAll(() => receiver.close())

const register = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  fetch(`${app.base}/oauth/register`, { method: 'POST', body, headers })

const metadataAt = async (path: string) => {
  const answer = await fetch(`${app.base}${path}`)
  return { status: answer.status, body: await answer.text(), headers: answer.headers }
}

describe('the metadata', () => {
  it('of the authorization server names what there is, and nothing that there is not', async () => {
    const { status, body, headers } = await metadataAt('/.well-known/oauth-authorization-server')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
    const metadata = JSON.parse(body)
    expect(metadata).toMatchObject({
      issuer: app.base,
      authorization_endpoint: `${app.base}/oauth/authorize`,
      token_endpoint: `${app.base}/oauth/token`,
      registration_endpoint: `${app.base}/oauth/register`,
      revocation_endpoint: `${app.base}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    })
    expect(metadata.scopes_supported).not.toContain('account')
    for (const absent of ['jwks_uri', 'userinfo_endpoint', 'id_token_signing_alg_values_supported'])
      expect(metadata).not.toHaveProperty(absent)
    expect((await metadataAt('/.well-known/openid-configuration')).status).toBe(404)
  })

  it.each([
    ['', '', ['api:read', 'api:write', 'console:read', 'console:write']],
    ['/mcp', '/mcp', ['mcp:read', 'mcp:write']],
  ])('of the resource %j names it, its scopes and us', async (suffix, resource, scopes) => {
    const { body } = await metadataAt(`/.well-known/oauth-protected-resource${suffix}`)
    expect(JSON.parse(body)).toMatchObject({
      resource: `${app.base}${resource}`,
      authorization_servers: [app.base],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    })
  })
})

describe('registration', () => {
  it('answers what was understood, and ignores what it does not know', async () => {
    const answer = await register(
      JSON.stringify({
        redirect_uris: ['http://127.0.0.1/cb'],
        client_name: 'Some agent',
        logo_uri: 'http://10.0.0.1/logo',
        jwks_uri: 'http://10.0.0.1/jwks',
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
        client_id: 'console',
        __proto__: { token_endpoint_auth_method: 'client_secret_basic' },
      }),
    )
    const client = await answer.json()
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(client).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Some agent',
      redirect_uris: ['http://127.0.0.1/cb'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
  })

  it.each([
    ['another type', '{}', 415, 'invalid_request', { 'content-type': 'text/plain' }],
    ['no JSON', '{', 400, 'invalid_request', undefined],
    ['too much', `{"a":"${'x'.repeat(70_000)}"}`, 413, 'invalid_request', undefined],
    [
      'a refused address',
      '{"redirect_uris":["http://evil.example/"]}',
      400,
      'invalid_redirect_uri',
      undefined,
    ],
  ] as const)('refuses %s in the form of RFC 7591', async (_, body, status, error, headers) => {
    const answer = await register(body, headers)
    expect([answer.status, await answer.json()]).toMatchObject([status, { error }])
  })

  it('forgets a client that nobody used after a day, and keeps one that somebody allowed', async () => {
    const server = await discover(app.base)
    const unused = await registerTestClient(server)
    const { client: used } = await allowClient(app, { account: app.owner })
    const left = await app.query<{ id: string; hours: number }>(
      `SELECT id, round(extract(epoch FROM expires_at - pharos_now()) / 3600)::float8 AS hours
         FROM oauth_clients WHERE id = ANY($1)`,
      [[unused.client_id, used.client_id]],
    )
    expect(Object.fromEntries(left.map(({ id, hours }) => [id, hours]))).toEqual({
      [unused.client_id]: 24,
      [used.client_id]: 90 * 24,
    })
    await app.query('UPDATE oauth_clients SET expires_at = pharos_now() WHERE id = $1', [unused.client_id])
    const { url } = await authorizationRequest(server, unused)
    expect((await openBrowserJar().get(url)).status).toBe(400)
  })

  it('is charged to the address', async () => {
    const tight = await openTestApp({ beside: app, limits: { LIMIT_ADDRESS_PER_MINUTE: 1 } })
    const asked = await Promise.all(
      [1, 2, 3, 4].map(() =>
        fetch(`${tight.base}/oauth/register`, {
          method: 'POST',
          body: '{}',
          headers: { 'content-type': 'application/json' },
        }),
      ),
    )
    const refused = asked.find(({ status }) => status === 429)
    expect(refused?.headers.get('retry-after')).toEqual(expect.any(String))
    expect(await refused?.json()).toMatchObject({ error: 'temporarily_unavailable' })
    await tight.close()
  })
})

describe('an authorization request of a browser that nobody signed in with', () => {
  it('is charged like a request without a credential, also with the cookie that signing out leaves', async () => {
    const tight = await openTestApp({ beside: app, limits: { LIMIT_CALLER_PER_MINUTE: 1 } })
    const left = await fetch(`${tight.base}/oauth/sign-out`, {
      method: 'POST',
      headers: { origin: tight.base },
    })
    const cookie = left.headers.getSetCookie().map((line) => line.split(';')[0])
    expect(cookie).toHaveLength(2)
    const asked = await Promise.all(
      [1, 2, 3, 4].map(() =>
        fetch(`${tight.base}/oauth/authorize?client_id=nobody`, { headers: { cookie: cookie.join('; ') } }),
      ),
    )
    expect(asked.map(({ status }) => status)).toContain(429)
    await tight.close()
  })
})

describe('a document about a client', () => {
  beforeEach(() => {
    receiver.heard.length = 0
  })

  const serve = (id: string, more: object = {}): void =>
    receiver.respond((response) =>
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify({
          client_id: id,
          client_name: 'A client with a document',
          redirect_uris: ['https://client.example/callback'],
          token_endpoint_auth_method: 'none',
          ...more,
        }),
      ),
    )

  const ask = async (client_id: string) => {
    const server = await discover(app.base)
    const { url } = await authorizationRequest(server, { client_id })
    return openBrowserJar().get(url)
  }

  it('makes a client known without registration, and is read once for many requests', async () => {
    const id = receiver.url('127.0.0.1', '/client.json')
    serve(id)
    const { tokens, server, client } = await allowClient(app, {
      account: app.owner,
      client: { client_id: id, token_endpoint_auth_method: 'none' },
    })
    await refresh(server, client, tokens.refresh_token ?? '')
    expect(receiver.heard.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /client.json'])
    expect(receiver.heard[0]?.headers.cookie).toBeUndefined()
    const [grant] = await app.query<object>(
      'SELECT client_name, redirect_host, scopes FROM oauth_grants WHERE client_id = $1',
      [id],
    )
    expect(grant).toEqual({
      client_name: 'A client with a document',
      redirect_host: 'client.example',
      scopes: ['api:read'],
    })
  })

  it('is not accepted when it is about another client, holds a secret, or is no document', async () => {
    const refused = async (path: string, how: (id: string) => void) => {
      const id = receiver.url('127.0.0.1', path)
      how(id)
      expect((await ask(id)).status, path).toBe(400)
      const asked = receiver.heard.length
      expect((await ask(id)).status, path).toBe(400)
      expect(receiver.heard.length, 'a refusal is remembered').toBe(asked)
    }
    await refused('/another', () => serve('https://another.example/client.json'))
    await refused('/secret', (id) => serve(id, { client_secret: 'x' }))
    await refused('/basic', (id) => serve(id, { token_endpoint_auth_method: 'client_secret_basic' }))
    await refused('/redirects', (id) => serve(id, { redirect_uris: ['http://evil.example/'] }))
    await refused('/large', (id) => serve(id, { padding: 'x'.repeat(20_000) }))
    await refused('/gone', () => receiver.respond(404))
    await refused('/moved', () =>
      receiver.respond((response) =>
        response.writeHead(302, { location: receiver.url('127.0.0.1', '/client.json') }).end(),
      ),
    )
  })
})

describe('an operator', () => {
  /** Returns what the command printed. */
  const run = async (name: string, options: Record<string, string | string[]>): Promise<string> => {
    const nobody = () => undefined
    const log = { info: nobody, warn: nobody, error: nobody, debug: nobody, fatal: nobody }
    const { store, masterKey, base } = app
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    try {
      await LEDGER_COMMANDS[name]?.run({ store, masterKey, base, log }, options, [])
      return printed.mock.calls.map(([text]) => String(text)).join('')
    } finally {
      printed.mockRestore()
    }
  }
  const ID = '019b0000-0000-7000-8000-000000000001'

  it('registers a client that ships with a fixed id, and revokes it with all that people allowed it', async () => {
    const redirect = ['http://127.0.0.1:8976/callback']
    expect(await run('client create', { id: ID, name: 'A shipped client', redirect })).toContain(ID)
    await expect(run('client create', { id: ID, name: 'Again', redirect })).rejects.toThrow('with this id')
    await expect(
      run('client create', { id: ID.replace('1', '2'), name: 'x', redirect: ['http://a.example/'] }),
    ).rejects.toThrow('redirect_uris[0]')
    const server = await discover(app.base)
    const client = { client_id: ID, token_endpoint_auth_method: 'none' }
    const email = await givePassword(app, app.owner)
    const request = await authorizationRequest(server, client, {
      redirect_uri: 'http://127.0.0.1:1234/callback',
    })
    const callback = await signInAndConsent(openBrowserJar(), request.url, { email })
    const tokens = await exchangeCode(server, client, { callback, request })
    expect(await run('client list', {})).toContain(`${ID}  A shipped client`)
    expect(await run('grant list', { email })).toContain('A shipped client  127.0.0.1:1234  api:read')
    expect(await run('client revoke', { id: ID })).toContain('is revoked')
    const answer = () =>
      fetch(`${app.base}/api/json/items`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
    await expect.poll(async () => (await answer()).status).toBe(401)
    expect(await refusedAs(refresh(server, client, tokens.refresh_token ?? ''))).toBe('invalid_client')
  })

  it('revokes a grant', async () => {
    const { server, client, tokens } = await allowClient(app, { account: app.owner })
    const [grant] = await app.query<{ id: string }>('SELECT id FROM oauth_grants WHERE client_id = $1', [
      client.client_id,
    ])
    expect(await run('grant revoke', { id: grant?.id ?? '' })).toContain('is revoked')
    await expect(run('grant revoke', { id: grant?.id ?? '' })).rejects.toThrow('no such grant')
    expect(await refusedAs(refresh(server, client, tokens.refresh_token ?? ''))).toBe('invalid_grant')
  })
})
