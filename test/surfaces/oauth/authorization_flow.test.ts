// The flow of OAuth 2.1 with an ordinary client library: on one server, on two, and across a restart. That all of it fits
// together is in test/security/whole_flow.test.ts.
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { openBrowserJar } from '../../support/browser_jar.ts'
import {
  type Allowed,
  allowClient,
  authorizationRequest,
  discover,
  exchangeCode,
  givePassword,
  INSECURE,
  refresh,
  refusedAs,
  registerTestClient,
  sentTo,
  signInAndConsent,
} from '../../support/oauth.ts'
import { testApp } from '../../support/test_app.ts'

const app = testApp()
let second: TestApp
let allowed: Allowed
beforeAll(async () => {
  second = await openTestApp({ beside: app, baseUrl: app.base })
  allowed = await allowClient(app, { account: app.owner, scope: 'api:read' })
})
afterAll(async () => {
  await second.close()
})

const statusOf = async (token: string): Promise<number> =>
  (await fetch(`${app.base}/api/json/items`, { headers: { authorization: `Bearer ${token}` } })).status

describe('an ordinary client', () => {
  it('with a secret proves who it is by either way of RFC 6749, and only with the right secret', async () => {
    const { server, browser } = allowed
    for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
      const client = await registerTestClient(server, { token_endpoint_auth_method: method })
      const secret = String(client.client_secret)
      const authentication = (given: string) =>
        method === 'client_secret_basic' ? oauth.ClientSecretBasic(given) : oauth.ClientSecretPost(given)
      const request = await authorizationRequest(server, client)
      const callback = await signInAndConsent(browser, request.url, { email: 'nobody' })
      const exchange = (auth: oauth.ClientAuth) =>
        refusedAs(exchangeCode(server, client, { callback, request }, auth))
      expect(await exchange(authentication(`${secret}x`))).toBe('invalid_client')
      expect(await exchange(authentication(secret))).toBe('granted')
      const [row] = await app.query<{ secret_hash: Buffer }>(
        'SELECT secret_hash FROM oauth_clients WHERE id = $1',
        [client.client_id],
      )
      expect(row?.secret_hash.includes(secret)).toBe(false)
    }
  })

  it('ends an access token alone by revoking it, and refreshes afterwards', async () => {
    const { server, client, browser } = allowed
    const { tokens } = await allowClient(app, { account: app.owner, client, browser })
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, oauth.None(), tokens.access_token, INSECURE),
    )
    await expect.poll(() => statusOf(tokens.access_token)).toBe(401)
    const next = await refresh(server, client, tokens.refresh_token ?? '')
    expect(await statusOf(next.access_token)).toBe(200)
  })

  it('ends what it was given by revoking it, the refresh token with all that came from it', async () => {
    const { server, client, browser } = allowed
    const { tokens } = await allowClient(app, { account: app.owner, client, browser })
    const revoke = async (token: string) =>
      oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, oauth.None(), token, INSECURE),
      )
    const another = await registerTestClient(server)
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, another, oauth.None(), tokens.access_token, INSECURE),
    )
    expect(await statusOf(tokens.access_token), 'another client revokes nothing').toBe(200)
    await revoke(tokens.refresh_token ?? '')
    await expect.poll(() => statusOf(tokens.access_token)).toBe(401)
    expect(await refusedAs(refresh(server, client, tokens.refresh_token ?? ''))).toBe('invalid_grant')
  })
})

describe('several servers', () => {
  it('continue what another one began: request, sign-in, consent, code and refresh', async () => {
    const { server } = allowed
    const turns = [app, second]
    const next = async (url: string | URL, init?: RequestInit) => {
      turns.reverse()
      return sentTo(turns[0] ?? app)(url, init)
    }
    const browser = openBrowserJar({ fetch: next })
    const email = await givePassword(app, app.owner)
    const client = await registerTestClient(server)
    const request = await authorizationRequest(server, client)
    const callback = await signInAndConsent(browser, request.url, { email })
    const tokens = await exchangeCode(server, client, { callback, request })
    const options = { [oauth.customFetch]: next }
    const once = await refresh(server, client, tokens.refresh_token ?? '', options)
    const twice = await refresh(server, client, once.refresh_token ?? '', options)
    expect(await statusOf(twice.access_token)).toBe(200)
  })

  it('a restart loses no session, no grant and no token', async () => {
    const { server, browser } = allowed
    const client = await registerTestClient(server)
    const { tokens } = await allowClient(app, { account: app.owner, client, browser })
    await second.stop()
    second = await openTestApp({ beside: app, baseUrl: app.base })
    const options = { [oauth.customFetch]: sentTo(second) }
    const next = await refresh(server, client, tokens.refresh_token ?? '', options)
    expect(await statusOf(next.access_token)).toBe(200)
    // Neither sign-in nor consent is asked for again.
    const request = await authorizationRequest(server, client)
    const answer = await sentTo(second)(request.url, {
      redirect: 'manual',
      headers: {
        cookie: browser
          .cookies()
          .map(({ name, value }) => `${name}=${value}`)
          .join('; '),
      },
    })
    expect(answer.headers.get('location')).toContain('code=')
  })
})

describe('what is stored', () => {
  it('holds no code, token, cookie or secret itself', async () => {
    const { server, client, browser } = allowed
    const request = await authorizationRequest(server, client)
    const waiting = await openBrowserJar().get(request.url)
    const callback = await signInAndConsent(browser, request.url, { email: 'nobody' })
    const tokens = await exchangeCode(server, client, { callback, request })
    const secrets = [
      callback.searchParams.get('code') ?? '',
      tokens.access_token,
      tokens.refresh_token ?? '',
      waiting.location?.pathname.split('/').at(-1) ?? '',
      ...browser.cookies().map(({ value }) => value),
    ]
    expect(secrets.every((secret) => secret.length > 20)).toBe(true)
    for (const table of ['tickets', 'access_tokens', 'sessions', 'grants', 'clients']) {
      const rows = await app.query(`SELECT to_jsonb(t) AS row FROM oauth_${table} t`)
      expect(rows.length, table).toBeGreaterThan(0)
      const text = JSON.stringify(rows)
      for (const secret of secrets) expect(text.includes(secret), table).toBe(false)
    }
    expect(JSON.stringify(app.logged)).not.toContain(tokens.access_token)
  })

  it('is told in one line for each grant and refusal', async () => {
    const { client } = allowed
    await refusedAs(refresh(await discover(app.base), client, 'x'.repeat(43)))
    const last = (name: string) => app.logged.findLast(({ msg }) => msg === name)
    expect(last('oauth.granted')).toMatchObject({ client_id: client.client_id, user_id: app.owner.userId })
    expect(last('oauth.refused')).toMatchObject({ endpoint: 'token', error: 'invalid_grant' })
  })
})
