// What an authorization request may ask for, and how others are refused. Those that get no code for what they say of
// the answer or the proof are in test/security/codes.test.ts.
import type * as oauth from 'oauth4webapi'
import { beforeAll, describe, expect, it } from 'vitest'
import { openBrowserJar } from '../../support/browser_jar.ts'
import {
  type Allowed,
  allowClient,
  authorizationRequest,
  exchangeCode,
  givePassword,
  REDIRECT_URI,
  refresh,
  refusedAs,
  registerTestClient,
  signInAndConsent,
} from '../../support/oauth.ts'
import { testApp } from '../../support/test_app.ts'

const LOOPBACK = 'http://127.0.0.1/callback'

const app = testApp()
let allowed: Allowed
/** Allowed in the same browser, with an address on loopback beside. */
let native: oauth.Client
beforeAll(async () => {
  allowed = await allowClient(app, { account: app.owner, scope: 'api:read' })
  native = await registerTestClient(allowed.server, { redirect_uris: [LOOPBACK, 'com.example.app:/cb'] })
})

type Parameters = Readonly<Record<string, string | null>>

/** What the browser gets, without anything being clicked. */
const ask = async (parameters: Parameters, client = allowed.client, browser = allowed.browser) => {
  const { url } = await authorizationRequest(allowed.server, client, parameters)
  return browser.get(url)
}

/** The error that the client is told. */
const toldTo = async (parameters: Parameters, client = allowed.client): Promise<string | null> => {
  const { location } = await ask(parameters, client)
  expect(location?.href).toContain(parameters.redirect_uri ?? REDIRECT_URI)
  expect(location?.searchParams.get('iss')).toBe(app.base)
  return location?.searchParams.get('error') ?? null
}

/** The person agrees to whatever is asked, without what is unticked. */
const allow = async (parameters: Parameters, client = allowed.client, without: readonly string[] = []) => {
  const request = await authorizationRequest(allowed.server, client, parameters)
  const callback = await signInAndConsent(allowed.browser, request.url, { email: 'nobody', without })
  return exchangeCode(allowed.server, client, { callback, request })
}

describe('the redirect address', () => {
  it.each([
    'https://client.example/callback/',
    'https://client.example/callback?x=1',
    'https://client.example:443/callback',
    'https://CLIENT.example/callback',
    'https://client.example/Callback',
    'https://evil.example/callback',
    'https://client.example/callback/../callback',
    'javascript:alert(1)',
  ])('is compared exactly, so %s gets a page and no redirect', async (redirect_uri) => {
    const page = await ask({ redirect_uri })
    expect(page.status).toBe(400)
    expect(page.location).toBeUndefined()
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it('of a program on the same computer may have any port, and nothing else may differ', async () => {
    const page = (redirect_uri: string) => ask({ redirect_uri }, native)
    expect((await page('http://127.0.0.1:49152/callback')).location?.pathname).toContain('/interaction/')
    for (const other of ['http://127.0.0.1:1/other', 'http://localhost:1/callback', 'http://[::1]/callback'])
      expect((await page(other)).status, other).toBe(400)
  })

  it('leads nowhere when the client is unknown', async () => {
    const page = await ask({}, { client_id: 'nobody' })
    expect([page.status, page.location]).toEqual([400, undefined])
  })
})

describe('scopes', () => {
  it('are those of the resource that exist; others are left out', async () => {
    const scope = 'api:read openid offline_access mcp:read account nonsense'
    expect((await allow({ scope, nonce: 'n' })).scope).toBe('api:read')
    expect((await allow({ scope, resource: `${app.base}/mcp` })).scope).toBe('mcp:read')
  })

  it('are the reading one when none is asked for', async () => {
    expect((await allow({})).scope).toBe('api:read')
    expect((await allow({ resource: `${app.base}/mcp` })).scope).toBe('mcp:read')
  })

  it('are refused when none is left', async () => {
    for (const scope of ['openid', 'account', 'mcp:read', 'api:read:more'])
      expect(await toldTo({ scope }), scope).toBe('invalid_scope')
  })

  it('are asked for again when they grow, and the page names them, the client and its host', async () => {
    expect((await ask({ scope: 'api:read' })).location?.searchParams.get('code')).toEqual(expect.any(String))
    const page = await allowed.browser.follow(await ask({ scope: 'api:read api:write' }))
    for (const shown of ['A test client', 'client.example', 'api:write', 'ada@example.com'])
      expect(page.text).toContain(shown)
    const cancelled = await allowed.browser.follow(await allowed.browser.submit(page, '/cancel'))
    expect(cancelled.location?.searchParams.get('error')).toBe('access_denied')
    expect((await allow({ scope: 'api:read api:write' })).scope).toBe('api:read api:write')
    expect((await allow({ scope: 'api:read' })).scope, 'a client gets no more than it asks for').toBe(
      'api:read',
    )
  })

  it('that write may be unticked: the client is told, gets no more, and may ask for them again', async () => {
    const { server } = allowed
    const client = await registerTestClient(server)
    const both = { scope: 'mcp:read mcp:write', resource: `${app.base}/mcp` }
    const narrow = await allow(both, client, ['mcp:write'])
    expect(narrow.scope).toBe('mcp:read')
    expect((await refresh(server, client, narrow.refresh_token ?? '')).scope).toBe('mcp:read')
    const again = await allowed.browser.follow(await ask(both, client))
    expect(again.text).toContain('name="mcp:write"')
    expect(again.text).not.toContain('goes on')
    const wide = await allow(both, client)
    expect(wide.scope).toBe('mcp:read mcp:write')
    const before = await allowed.browser.follow(await ask({ ...both, prompt: 'consent' }, client))
    expect(before.text, 'that what it has stays').toContain(
      'What you allowed this application before goes on',
    )
    expect((await allow({ ...both, prompt: 'consent' }, client, ['mcp:write'])).scope).toBe('mcp:read')
    expect((await refresh(server, client, wide.refresh_token ?? '')).scope, 'what was given before').toBe(
      'mcp:read mcp:write',
    )
    const granted = await app.query('SELECT scopes FROM oauth_grants WHERE client_id = $1 ORDER BY id', [
      client.client_id,
    ])
    expect(granted).toEqual([{ scopes: ['mcp:read', 'mcp:write'] }, { scopes: ['mcp:read'] }])
  })

  it('are all needed where none is left to read with, whatever a form leaves out', async () => {
    const client = await registerTestClient(allowed.server)
    const page = await allowed.browser.follow(await ask({ scope: 'api:write' }, client))
    expect(page.text).not.toContain('type="checkbox"')
    expect((await allow({ scope: 'api:read console:read' }, client, ['api:read'])).scope).toBe(
      'api:read console:read',
    )
  })

  it('are asked for each time when the client cannot be known by its address', async () => {
    for (let times = 0; times < 2; times += 1) {
      const page = await allowed.browser.follow(await ask({ redirect_uri: LOOPBACK }, native))
      expect(page.text).toContain('a program on this computer')
      await allowed.browser.submit(page, '/consent')
    }
    expect(await toldTo({ redirect_uri: LOOPBACK, prompt: 'none' }, native)).toBe('interaction_required')
  })
})

describe('the resource', () => {
  it('may be spelled in several ways, and is ours', async () => {
    for (const resource of [app.base, `${app.base}/`, app.base.replace('http:', 'HTTP:')])
      expect((await allow({ resource })).scope, resource).toBe('api:read')
    for (const resource of ['https://another.example', `${app.base}/mcp/x`, `${app.base}/api`, 'nonsense'])
      expect(await toldTo({ resource }), resource).toBe('invalid_target')
  })

  it('of a code or a refresh token cannot be exchanged for the other', async () => {
    const { refresh_token = '', access_token } = await allow({ resource: `${app.base}/mcp` })
    const at = (resource: string) =>
      refusedAs(
        refresh(allowed.server, allowed.client, refresh_token, { additionalParameters: { resource } }),
      )
    expect(await at(app.base)).toBe('invalid_target')
    const api = await fetch(`${app.base}/api/json/items`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    expect(api.status).toBe(401)
    const { refresh_token: again = '' } = await allow({})
    const same = refresh(allowed.server, allowed.client, again, {
      additionalParameters: { resource: `${app.base}/` },
    })
    expect(await refusedAs(same), 'spelled differently').toBe('granted')
  })
})

describe('the person', () => {
  it('is asked nothing with prompt=none, and the client is told what is missing', async () => {
    const nobody = openBrowserJar()
    const { location } = await ask({ prompt: 'none' }, allowed.client, nobody)
    expect(location?.searchParams.get('error')).toBe('login_required')
    expect(await toldTo({ prompt: 'none', scope: 'console:read' })).toBe('consent_required')
    const known = await ask({ prompt: 'none', scope: 'api:read' })
    expect(known.location?.searchParams.get('code')).toEqual(expect.any(String))
  })

  it('signs in again when the client says so, or when the last time is too long ago', async () => {
    const signIn = async (parameters: Parameters) => allowed.browser.follow(await ask(parameters))
    const hinted = await signIn({ prompt: 'login', login_hint: 'ada@<b>example.com' })
    expect(hinted.text).toContain('name="password"')
    expect(hinted.text).toContain('value="ada@&lt;b&gt;example.com"')
    expect((await signIn({ prompt: 'select_account' })).text).toContain('name="password"')
    expect((await ask({ prompt: 'create', scope: 'api:read' })).location?.href).toContain('code=')
    expect((await signIn({ max_age: '0' })).text).toContain('name="password"')
    expect(await toldTo({ max_age: 'x' })).toBe('invalid_request')
    expect((await ask({ max_age: '3600', scope: 'api:read' })).location?.href).toContain('code=')
  })

  it('may be another one: the session of the first ends, and nothing of it is the second’s', async () => {
    const browser = openBrowserJar()
    const first = await app.account('grace')
    const { tokens, client } = await allowClient(app, { account: first, browser })
    const email = await givePassword(app, await app.account('hedy'))
    const { url } = await authorizationRequest(allowed.server, client, { scope: 'api:read api:write' })
    const consent = await browser.follow(await browser.get(url))
    const signIn = await browser.submit(consent, '/other-account')
    expect(signIn.text).toContain('name="password"')
    const asked = await browser.follow(
      await browser.submit(signIn, '/sign-in', { email, password: 'a rather long test password' }),
    )
    expect(asked.text).toContain('hedy@example.com')
    expect(asked.text).toContain('api:write')
    const sessions = await app.query('SELECT id FROM oauth_sessions WHERE user_id = $1', [first.userId])
    expect(sessions).toEqual([])
    // What the first person allowed the client goes on: it was not bound to the browser.
    expect(await refusedAs(refresh(allowed.server, client, tokens.refresh_token ?? ''))).toBe('granted')
  })

  it('cannot be signed in with a wrong password, and sees why on the same page', async () => {
    const browser = openBrowserJar()
    const page = await browser.follow(await ask({}, allowed.client, browser))
    const tried = await browser.submit(page, '/sign-in', { email: 'ada@example.com', password: 'wrong' })
    expect(tried.status).toBe(401)
    expect(tried.text).toContain('role="alert"')
    expect(tried.headers.get('cache-control')).toBe('no-store')
    expect(browser.cookies().some(({ name }) => name === 'pharos_session')).toBe(false)
  })

  it('keeps the page to its own browser, and the form to the page', async () => {
    const { location } = await ask({ scope: 'api:read console:read' })
    expect((await openBrowserJar().get(location ?? '')).status).toBe(404)
    const page = await allowed.browser.get(location ?? '')
    const forged = await allowed.browser.post(`${page.url}/consent`, { form_token: 'x' })
    expect(forged.status, 'a token of another form').toBe(403)
    const foreign = await fetch(`${page.url}/consent`, {
      method: 'POST',
      body: new URLSearchParams(),
      headers: { origin: 'https://evil.example' },
    })
    expect(foreign.status, 'a form of another site').toBe(403)
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("form-action 'self' https://client.example")
    expect(policy).toContain("frame-ancestors 'none'")
  })
})

describe('the endpoints', () => {
  it('answer requests that are too large, of another type or of another method in their own form', async () => {
    const post = (path: string, init: RequestInit) => fetch(`${app.base}${path}`, { method: 'POST', ...init })
    const large = await post('/oauth/token', { body: new URLSearchParams({ code: 'x'.repeat(20_000) }) })
    expect([large.status, await large.json()]).toMatchObject([413, { error: 'invalid_request' }])
    const json = await post('/oauth/token', { body: '{}', headers: { 'content-type': 'application/json' } })
    expect([json.status, await json.json()]).toMatchObject([415, { error: 'invalid_request' }])
    const got = await fetch(`${app.base}/oauth/token`)
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST'])
    const long = await fetch(`${app.base}/oauth/authorize?state=${'x'.repeat(9_000)}`)
    expect(long.status).toBe(400)
  })

  it('tell nothing of a fault of ours, and send nobody on with it', async () => {
    const { url } = await authorizationRequest(allowed.server, native)
    await app.query('ALTER TABLE oauth_clients RENAME TO oauth_clients_away')
    try {
      const page = await allowed.browser.get(url)
      expect([page.status, page.location]).toEqual([500, undefined])
      expect(page.text).toContain('The mistake is ours')
      const answer = await fetch(allowed.server.token_endpoint ?? '', {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token', client_id: native.client_id }),
      })
      const body = await answer.json()
      expect([answer.status, body]).toEqual([
        500,
        { error: 'server_error', error_description: 'something went wrong on our side' },
      ])
    } finally {
      await app.query('ALTER TABLE oauth_clients_away RENAME TO oauth_clients')
    }
  })

  it('are open to pages of every origin where programs call them, and to none where people sign in', async () => {
    const preflight = async (path: string) =>
      (
        await fetch(`${app.base}${path}`, {
          method: 'OPTIONS',
          headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
        })
      ).headers.get('access-control-allow-origin')
    for (const path of ['/oauth/token', '/oauth/register', '/.well-known/oauth-authorization-server'])
      expect(await preflight(path), path).toBe('*')
    for (const path of ['/oauth/authorize', '/oauth/revoke', '/oauth/interaction/x/consent'])
      expect(await preflight(path), path).toBeNull()
    const token = await fetch(`${app.base}/oauth/token`, {
      method: 'POST',
      headers: { origin: 'https://app.example' },
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id: allowed.client.client_id }),
    })
    expect(token.headers.get('access-control-allow-origin')).toBe('*')
    const revoked = await fetch(`${app.base}/oauth/revoke`, {
      method: 'POST',
      headers: { origin: app.base },
      body: new URLSearchParams({ token: 'x'.repeat(43), client_id: allowed.client.client_id }),
    })
    expect([revoked.status, revoked.headers.get('access-control-allow-origin')]).toEqual([200, null])
  })
})
