// Authorization codes in the wrong hands: injected, replayed, mixed up, or asked for without their proof (RFC 9700
// sections 2.1 and 4).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUuid7 } from '../../server/kernel/identifiers.ts'
import { authorizationRequest, registerTestClient } from '../support/oauth.ts'
import {
  askToken,
  authorize,
  codeExchange,
  form,
  openScene,
  otherPerson,
  postForm,
  refreshing,
  type Scene,
  statusWith,
} from './scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.app.close())

const VERIFIER = 'v'.repeat(43)

describe('a code', () => {
  it('is good only with its client, verifier and redirect address, and survives wrong tries', async () => {
    const authorized = await authorize(scene)
    const good = codeExchange(scene, authorized)
    const other = await registerTestClient(scene.server)
    const confidential = await registerTestClient(scene.server, {
      token_endpoint_auth_method: 'client_secret_post',
    })
    const wrong: readonly (readonly [string, Readonly<Record<string, string | undefined>>, string])[] = [
      ['another client', { client_id: other.client_id }, 'invalid_grant'],
      [
        'another client with a secret',
        { client_id: confidential.client_id, client_secret: String(confidential.client_secret) },
        'invalid_grant',
      ],
      ['a client that nobody registered', { client_id: newUuid7() }, 'invalid_client'],
      ['no client', { client_id: undefined }, 'invalid_request'],
      ['the console', { client_id: 'console' }, 'invalid_grant'],
      ['another verifier', { code_verifier: VERIFIER }, 'invalid_grant'],
      ['no verifier', { code_verifier: undefined }, 'invalid_grant'],
      ['an empty verifier', { code_verifier: '' }, 'invalid_grant'],
      ['a verifier that is too short', { code_verifier: good.code_verifier.slice(0, 42) }, 'invalid_request'],
      ['the challenge instead of the verifier', await challengeIn(authorized), 'invalid_grant'],
      ['another redirect address', { redirect_uri: 'https://client.example/other' }, 'invalid_grant'],
      ['a longer redirect address', { redirect_uri: `${good.redirect_uri}/` }, 'invalid_grant'],
    ]
    for (const [what, fields, error] of wrong) {
      const refused = await askToken(scene.app, { ...good, ...fields })
      expect([what, refused.error, refused.access_token]).toEqual([what, error, ''])
      expect([what, refused.status]).toEqual([what, error === 'invalid_client' ? 401 : 400])
      expect(refused.headers['cache-control']).toBe('no-store')
    }
    expect(await askToken(scene.app, good)).toMatchObject({ status: 200 })
  })

  it('that is used again ends every token that came from it', async () => {
    const good = codeExchange(scene, await authorize(scene))
    const tokens = await askToken(scene.app, good)
    expect(await statusWith(scene.app, tokens.access_token)).toBe(200)
    const renewed = await askToken(scene.app, refreshing(scene, tokens.refresh_token))
    expect(await askToken(scene.app, good)).toMatchObject({ status: 400, error: 'invalid_grant' })
    for (const { access_token } of [tokens, renewed])
      expect(await statusWith(scene.app, access_token)).toBe(401)
    expect(await askToken(scene.app, refreshing(scene, renewed.refresh_token))).toMatchObject({
      status: 400,
      error: 'invalid_grant',
    })
  })

  it('that is used twice at once gives at most one token', async () => {
    const good = codeExchange(scene, await authorize(scene))
    const answers = await Promise.all([1, 2, 3, 4].map(() => askToken(scene.app, good)))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    for (const { access_token } of answers)
      if (access_token !== '') expect(await statusWith(scene.app, access_token)).toBe(401)
  })

  it('of an account that was disabled in the meantime gives no token', async () => {
    const person = await otherPerson(scene, 'disabled-with-a-code')
    const authorized = await authorize({ ...scene, ...person })
    await scene.app.query('UPDATE users SET disabled_at = pharos_now() WHERE id = $1', [
      person.account.userId,
    ])
    expect(await askToken(scene.app, codeExchange(scene, authorized))).toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('is good for a minute', async () => {
    const authorized = await authorize(scene)
    await scene.app.query(
      `UPDATE oauth_tickets SET expires_at = expires_at - interval '60 seconds' WHERE kind = 'code'`,
    )
    expect(await askToken(scene.app, codeExchange(scene, authorized))).toMatchObject({
      error: 'invalid_grant',
    })
  })
})

describe('an answer', () => {
  it('names its issuer, as the metadata promises, when it is an error as well', async () => {
    expect(scene.server.authorization_response_iss_parameter_supported).toBe(true)
    const { callback } = await authorize(scene)
    const { url } = await authorizationRequest(scene.server, scene.client, {
      prompt: 'none',
      scope: 'nothing',
    })
    const refused = await scene.browser.get(url)
    for (const answer of [callback, refused.location])
      expect(answer?.searchParams.get('iss')).toBe(scene.app.base)
    expect(refused.location?.searchParams.get('error')).toBe('invalid_scope')
  })
})

describe('a request', () => {
  /** Each is answered to the client, without a code. */
  it.each<[string, Record<string, string | null>, string]>([
    ['without PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    [
      'with a plain challenge',
      { code_challenge: VERIFIER, code_challenge_method: 'plain' },
      'invalid_request',
    ],
    ['with a challenge of no method', { code_challenge_method: null }, 'invalid_request'],
    ['with an empty challenge', { code_challenge: '' }, 'invalid_request'],
    ['with a method in another case', { code_challenge_method: 's256' }, 'invalid_request'],
    ['with a challenge that is too short', { code_challenge: 'short' }, 'invalid_request'],
    ['for a token', { response_type: 'token' }, 'unsupported_response_type'],
    ['for an id token', { response_type: 'id_token' }, 'unsupported_response_type'],
    ['for an id token beside', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['for a token beside', { response_type: 'code token' }, 'unsupported_response_type'],
    ['for nothing', { response_type: 'none' }, 'unsupported_response_type'],
    ['in a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['at an address', { request_uri: 'https://evil.example/request' }, 'request_uri_not_supported'],
    ['in the fragment', { response_mode: 'fragment' }, 'unsupported_response_mode'],
    ['by a form', { response_mode: 'form_post' }, 'unsupported_response_mode'],
    ['by a message', { response_mode: 'web_message' }, 'unsupported_response_mode'],
    ['as a JWT', { response_mode: 'query.jwt' }, 'unsupported_response_mode'],
    ['for another server', { resource: 'https://evil.example' }, 'invalid_target'],
    ['without a question, before anybody agreed', { prompt: 'none', scope: 'api:write' }, 'consent_required'],
    ['with prompts that exclude each other', { prompt: 'none login' }, 'invalid_request'],
    ['for the scope of the console alone', { scope: 'account' }, 'invalid_scope'],
  ])('%s gets no code', async (_what, parameters, error) => {
    await authorize(scene)
    const client = await registerTestClient(scene.server)
    const { url, state } = await authorizationRequest(scene.server, client, parameters)
    const { location } = await scene.browser.get(url)
    expect([location?.origin, location?.pathname]).toEqual(['https://client.example', '/callback'])
    const told = new URLSearchParams(location?.search || location?.hash.slice(1))
    expect(Object.fromEntries(told)).toMatchObject({ error, state, iss: scene.app.base })
    expect(location?.href).not.toMatch(/code=|token=/)
  })

  it('of a client with a secret gets no code without PKCE either', async () => {
    const client = await registerTestClient(scene.server, {
      token_endpoint_auth_method: 'client_secret_basic',
    })
    const without = { code_challenge: null, code_challenge_method: null }
    const { url } = await authorizationRequest(scene.server, client, without)
    expect((await scene.browser.get(url)).location?.searchParams.get('error')).toBe('invalid_request')
  })

  it('for two resources at once gets no code', async () => {
    const { url } = await authorizationRequest(scene.server, scene.client)
    url.searchParams.append('resource', scene.app.base)
    url.searchParams.append('resource', `${scene.app.base}/mcp`)
    const { location } = await scene.browser.get(url)
    expect(location?.searchParams.get('error')).toBe('invalid_target')
  })
})

describe('the token endpoint', () => {
  it.each([
    'client_credentials',
    'password',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'urn:openid:params:grant-type:ciba',
    '__proto__',
    'constructor',
  ])('gives nothing for the grant type %s', async (grant_type) => {
    const confidential = await registerTestClient(scene.server, {
      token_endpoint_auth_method: 'client_secret_post',
    })
    const asked = {
      grant_type,
      client_id: confidential.client_id,
      client_secret: String(confidential.client_secret),
      username: scene.email,
      password: 'a rather long test password',
    }
    expect(await askToken(scene.app, asked)).toMatchObject({
      status: 400,
      error: 'unsupported_grant_type',
      access_token: '',
    })
  })

  it('knows a client with a secret by that alone, sent once, as it was registered', async () => {
    const { client_id, client_secret: secret } = await registerTestClient(scene.server, {
      token_endpoint_auth_method: 'client_secret_post',
    })
    const client_secret = String(secret)
    const authorized = await authorize({ ...scene, client: { client_id } })
    const good = { ...codeExchange({ client: { client_id } }, authorized), client_secret }
    const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
    for (const fields of [
      { client_secret: undefined },
      { client_secret: '' },
      { client_secret: `${client_secret}a` },
      { client_secret: await storedSecret(client_id) },
    ])
      expect(await askToken(scene.app, { ...good, ...fields })).toMatchObject({
        status: 401,
        access_token: '',
      })
    const twice = await postForm(scene.app.port, '/oauth/token', form(good), { Authorization: basic })
    expect([twice.status, twice.json()]).toMatchObject([400, { error: 'invalid_request' }])
    expect(await askToken(scene.app, good)).toMatchObject({ status: 200 })
  })

  it('reads fields from the body only, each once', async () => {
    const good = codeExchange(scene, await authorize(scene))
    const body = String(new URLSearchParams(good))
    const tries: readonly (readonly [path: string, body: string])[] = [
      [`/oauth/token?${body}`, ''],
      ['/oauth/token', `${body}&code_verifier=${VERIFIER}`],
      ['/oauth/token', `client_id=console&${body}`],
      ['/oauth/token', `${body}${'&a=b'.repeat(30)}`],
    ]
    for (const [path, sent] of tries) {
      const refused = await postForm(scene.app.port, path, sent)
      expect([sent.length, refused.status]).toEqual([sent.length, 400])
    }
    expect(await askToken(scene.app, good)).toMatchObject({ status: 200 })
  })
})

describe('what the library has beside, which nobody needs here,', () => {
  it.each([
    ...['/oauth/jwks', '/oauth/introspect', '/oauth/userinfo', '/oauth/device', '/oauth/par', '/oauth/reg'],
    ...['/jwks', '/token/introspection', '/session/end', '/device/auth', '/request', '/backchannel', '/reg'],
    ...['/.well-known/openid-configuration', '/oauth/register/x', '/oauth/token/', '/oauth//token'],
  ])('is not at %s', async (path) => {
    const posted = await postForm(
      scene.app.port,
      path,
      form({ client_id: scene.client.client_id, token: 'x' }),
    )
    expect([posted.status, posted.text]).toEqual([404, 'Not Found'])
    expect((await scene.browser.get(`${scene.app.base}${path}`)).status).toBe(404)
  })
})

const challengeIn = async ({ request }: Awaited<ReturnType<typeof authorize>>) => ({
  code_verifier: request.url.searchParams.get('code_challenge') ?? '',
})

/** What a thief of the database would send. */
const storedSecret = async (clientId: string): Promise<string> => {
  const [row] = await scene.app.query<{ secret_hash: Buffer }>(
    'SELECT secret_hash FROM oauth_clients WHERE id = $1',
    [clientId],
  )
  return row?.secret_hash.toString('base64url') ?? ''
}
