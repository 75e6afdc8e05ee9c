// Browser sessions and the console, which is a client of the server; and what people see and take back.
import type { EntityManager } from '@mikro-orm/postgresql'
import type * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { pruneOauth } from '../../../server/domain/oauth/stored_payload.ts'
import { inTransaction } from '../../../server/store/statement.ts'
import { openTestApp, type TestApp } from '../../support/app.ts'
import { type BrowserJar, openBrowserJar } from '../../support/browser_jar.ts'
import {
  allowClient,
  authorizationRequest,
  discover,
  exchangeCode,
  givePassword,
  refresh,
  refusedAs,
  signInAndConsent,
} from '../../support/oauth.ts'
import { change, rows } from '../../support/rows.ts'

const CONSOLE: oauth.Client = { client_id: 'console', token_endpoint_auth_method: 'none' }
const SCOPE = 'api:read api:write account console:read'

let app: TestApp
let server: oauth.AuthorizationServer
let said: string[]
beforeAll(async () => {
  said = []
  const spies = (['info', 'warn', 'error', 'log'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((...words) => void said.push(words.join(' '))),
  )
  app = await openTestApp()
  server = await discover(app.base)
  await signIn(openBrowserJar())
  for (const spy of spies) spy.mockRestore()
})
afterAll(() => app.close())

/** As the console does it. The person is asked for nothing but the password, and for that only once. */
async function signIn(browser: BrowserJar, account = app.owner): Promise<oauth.TokenEndpointResponse> {
  const email = await givePassword(app, account)
  const request = await authorizationRequest(server, CONSOLE, {
    scope: SCOPE,
    redirect_uri: `${app.base}/signed-in`,
  })
  const page = await browser.get(request.url)
  const at = page.location?.pathname.includes('/interaction/') ? await browser.get(page.location) : page
  const callback =
    at.location ??
    (await backFrom(browser, await browser.submit(at, '/sign-in', { email, password: PASSWORD })))
  if (callback === undefined) throw new Error('The console was not called back.')
  return exchangeCode(server, CONSOLE, { callback, request })
}

const PASSWORD = 'a rather long test password'

/** The page that the console is called back at is ours as well, so it is not followed. */
async function backFrom(browser: BrowserJar, page: { location: URL | undefined }): Promise<URL | undefined> {
  const { location } = page
  return location === undefined || location.pathname === '/signed-in'
    ? location
    : backFrom(browser, await browser.get(location))
}

const api = async (token: string, path: string, method = 'GET') => {
  const answer = await fetch(`${app.base}/api/json${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await answer.text()
  return { status: answer.status, data: text === '' ? undefined : JSON.parse(text).data }
}

describe('the console', () => {
  it('gets its scopes without a consent page, and the one that nobody else gets', async () => {
    const tokens = await signIn(openBrowserJar())
    expect(tokens.scope?.split(' ').toSorted()).toEqual(SCOPE.split(' ').toSorted())
    expect((await api(tokens.access_token, '/sessions')).status).toBe(200)
  })

  it('goes on in the same browser without a password, in several tabs at once', async () => {
    const browser = openBrowserJar()
    const tabs = [await signIn(browser), await signIn(browser)]
    for (const tab of tabs) {
      const next = await refresh(server, CONSOLE, tab.refresh_token ?? '')
      expect((await api(next.access_token, '/sessions')).status).toBe(200)
    }
  })

  it('ends with its session, tokens and refresh tokens alike; what others were allowed goes on', async () => {
    const browser = openBrowserJar()
    const tokens = await signIn(browser)
    const other = await allowClient(app, { account: app.owner, browser })
    const { data } = await api(tokens.access_token, '/sessions')
    const own = data.find((one: { attributes: { current: boolean } }) => one.attributes.current)
    expect(own.attributes).toMatchObject({ user_agent: 'a test browser', address: '127.0.0.1' })
    expect((await api(tokens.access_token, `/sessions/${own.id}`, 'DELETE')).status).toBe(200)
    await expect.poll(async () => (await api(tokens.access_token, '/sessions')).status).toBe(401)
    expect(await refusedAs(refresh(server, CONSOLE, tokens.refresh_token ?? ''))).toBe('invalid_grant')
    expect((await api(other.tokens.access_token, '/items')).status).toBe(200)
    const again = await browser.get(
      (
        await authorizationRequest(server, CONSOLE, {
          scope: SCOPE,
          redirect_uri: `${app.base}/signed-in`,
          prompt: 'none',
        })
      ).url,
    )
    expect(again.location?.searchParams.get('error')).toBe('login_required')
  })

  it('a session ends two weeks after the sign-in, and nothing of it is valid longer', async () => {
    const browser = openBrowserJar()
    const tokens = await signIn(browser)
    const [session] = await app.query<{ id: string; days: number }>(
      `SELECT id, round(extract(epoch FROM expires_at - inserted_at) / 8640)::float8 / 10 AS days
         FROM oauth_sessions ORDER BY id DESC LIMIT 1`,
    )
    expect(session?.days).toBe(14)
    await app.query(
      `UPDATE oauth_sessions SET expires_at = pharos_now() + interval '1 minute' WHERE id = $1`,
      [session?.id],
    )
    const next = await refresh(server, CONSOLE, tokens.refresh_token ?? '')
    const [token] = await app.query<{ seconds: number }>(
      `SELECT extract(epoch FROM expires_at - pharos_now())::float8 AS seconds
         FROM oauth_access_tokens WHERE session_id = $1 ORDER BY id DESC LIMIT 1`,
      [session?.id],
    )
    expect(token?.seconds).toBeLessThanOrEqual(60)
    await app.query('UPDATE oauth_sessions SET expires_at = pharos_now() WHERE id = $1', [session?.id])
    expect(await refusedAs(refresh(server, CONSOLE, next.refresh_token ?? ''))).toBe('invalid_grant')
  })
})

describe('lifetimes', () => {
  it('of refresh tokens begin anew with each use, and end 180 days after the first', async () => {
    const { tokens, client } = await allowClient(app, { account: app.owner })
    const seconds = async () => {
      const [row] = await app.query<{ seconds: number; grant_seconds: number }>(
        `SELECT extract(epoch FROM t.expires_at - t.inserted_at)::float8 AS seconds,
                extract(epoch FROM g.expires_at - t.inserted_at)::float8 AS grant_seconds
           FROM oauth_tickets t JOIN oauth_grants g ON g.id = t.grant_id
          WHERE g.client_id = $1 AND t.kind = 'refresh_token' ORDER BY t.inserted_at DESC LIMIT 1`,
        [client.client_id],
      )
      expect(row?.grant_seconds).toBeGreaterThanOrEqual((row?.seconds ?? 0) - 1)
      return Math.round((row?.seconds ?? 0) / 86_400)
    }
    expect(await seconds()).toBe(30)
    await app.query(
      `UPDATE oauth_tickets t SET payload = jsonb_set(t.payload::jsonb, '{iiat}',
              to_jsonb((t.payload::jsonb ->> 'iiat')::bigint - 170 * 86400))::text
         FROM oauth_grants g WHERE g.id = t.grant_id AND g.client_id = $1 AND t.kind = 'refresh_token'`,
      [client.client_id],
    )
    await refresh(server, client, tokens.refresh_token ?? '')
    expect(await seconds()).toBe(10)
  })

  it('of a grant end when it is refreshed all the time, because used tokens are not forgotten', async () => {
    const { tokens, client } = await allowClient(app, { account: app.owner })
    await app.query(
      `INSERT INTO oauth_tickets (kind, id_hash, grant_id, payload, consumed_at, expires_at)
       SELECT 'refresh_token', sha256(convert_to('worn' || n, 'UTF8')), id, '{}',
              pharos_now(), pharos_now() + interval '1 day'
         FROM oauth_grants, generate_series(1, 4998) AS n WHERE client_id = $1`,
      [client.client_id],
    )
    const { refresh_token: last = '' } = await refresh(server, client, tokens.refresh_token ?? '')
    expect(await refusedAs(refresh(server, client, last))).toBe('invalid_grant')
    expect(await app.query('SELECT 1 FROM oauth_grants WHERE client_id = $1', [client.client_id])).toEqual([])
  })

  it('of a grant end when one is repeated all the time, though that makes access tokens alone', async () => {
    const { tokens, client } = await allowClient(app, { account: app.owner })
    const { refresh_token: first = '' } = tokens
    await app.query(
      `INSERT INTO oauth_access_tokens
         (id, token_hash, grant_id, user_id, client_id, resource, scopes, payload, expires_at)
       SELECT 'repeated' || n, sha256(convert_to('repeated' || n, 'UTF8')), id, user_id, client_id, 'api', scopes,
              '{}', pharos_now() + interval '1 minute'
         FROM oauth_grants, generate_series(1, 4998) AS n WHERE client_id = $1`,
      [client.client_id],
    )
    const next = await refresh(server, client, first)
    expect((await refresh(server, client, first)).refresh_token).toBe(next.refresh_token)
    expect(await refusedAs(refresh(server, client, first))).toBe('invalid_grant')
    expect(await app.query('SELECT 1 FROM oauth_grants WHERE client_id = $1', [client.client_id])).toEqual([])
  })

  it('of a code are a minute', async () => {
    const { client, browser } = await allowClient(app, { account: app.owner })
    const request = await authorizationRequest(server, client)
    const callback = await signInAndConsent(browser, request.url, { email: 'nobody' })
    const [code] = await app.query<{ seconds: number }>(
      `SELECT round(extract(epoch FROM expires_at - inserted_at))::float8 AS seconds FROM oauth_tickets
        WHERE kind = 'code' ORDER BY inserted_at DESC LIMIT 1`,
    )
    expect(code?.seconds).toBe(60)
    await app.query(`UPDATE oauth_tickets SET expires_at = pharos_now() WHERE kind = 'code'`)
    expect(await refusedAs(exchangeCode(server, client, { callback, request }))).toBe('invalid_grant')
  })
})

describe('what has expired', () => {
  it('is deleted in pieces, from every table', async () => {
    const counts = async (em: EntityManager) => {
      const found: number[] = []
      for (const table of TABLES)
        for (const { count } of await rows<{ count: number }>(
          em,
          `SELECT count(*)::float8 AS count FROM ${table} WHERE expires_at < pharos_now()`,
        ))
          found.push(count)
      return found
    }
    const { tokens, client, browser } = await allowClient(app, { account: app.owner })
    await refresh(server, client, tokens.refresh_token ?? '')
    await browser.get((await authorizationRequest(server, client, { prompt: 'login' })).url)
    // In one transaction, because the server's own chore deletes them as well.
    await inTransaction(app.store.em(), async (em) => {
      for (const table of TABLES)
        await change(
          em,
          `UPDATE ${table} SET expires_at = pharos_now() - interval '1 second'
            WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} ORDER BY inserted_at DESC LIMIT 3))`,
        )
      expect((await counts(em)).every((rows) => rows > 1)).toBe(true)
      expect(await pruneOauth(em, 1)).toBe(1)
      while ((await pruneOauth(em, 100)) > 0);
      expect(await counts(em)).toEqual([0, 0, 0, 0, 0])
    })
  })
})

const TABLES = ['oauth_access_tokens', 'oauth_tickets', 'oauth_grants', 'oauth_sessions', 'oauth_clients']

describe('what a person allowed', () => {
  it('is listed with what the person saw, and ends when it is taken back', async () => {
    const account = await app.account('grace')
    const { tokens, client } = await allowClient(app, { account, scope: 'api:read' })
    await signIn(openBrowserJar(), account)
    const { data } = await api(account.key, '/allowed-applications')
    expect(data).toHaveLength(1)
    expect(data[0].attributes).toMatchObject({
      client_id: client.client_id,
      client_name: 'A test client',
      redirect_host: 'client.example',
      scopes: ['api:read'],
      resources: [app.base],
    })
    const path = `/allowed-applications/${data[0].id}`
    expect((await api(app.owner.key, path)).status, 'somebody else’s').toBe(404)
    expect((await api(app.owner.key, path, 'DELETE')).status, 'somebody else’s').toBe(404)
    expect((await api(tokens.access_token, path)).status, 'of another client').toBe(403)
    expect((await api(account.key, path, 'DELETE')).status).toBe(200)
    await expect.poll(async () => (await api(tokens.access_token, '/items')).status).toBe(401)
    expect(await refusedAs(refresh(server, client, tokens.refresh_token ?? ''))).toBe('invalid_grant')
    expect((await api(account.key, path, 'DELETE')).status).toBe(404)
  })

  it('does not show one person the sessions of another', async () => {
    const account = await app.account('hedy')
    await signIn(openBrowserJar(), account)
    const { data } = await api(account.key, '/sessions')
    expect(data).toHaveLength(1)
    expect(data[0].attributes.current, 'an API key has no session').toBe(false)
    expect((await api(app.owner.key, `/sessions/${data[0].id}`)).status).toBe(404)
    expect((await api(app.owner.key, `/sessions/${data[0].id}`, 'DELETE')).status).toBe(404)
  })
})

describe('the library', () => {
  it('writes nothing beside the log', () => expect(said).toEqual([]))
})

describe('behind a proxy that ends TLS', () => {
  it('cookies are those of https, and addresses those of our public origin, whatever the Host says', async () => {
    const behind = await openTestApp({ beside: app, baseUrl: 'https://pharos.example' })
    const email = await givePassword(app, app.owner)
    const through = (url: URL, init: RequestInit) =>
      fetch(`http://127.0.0.1:${behind.port}${url.pathname}${url.search}`, init)
    const browser = openBrowserJar({ fetch: through })
    const request = await authorizationRequest(
      { ...server, authorization_endpoint: 'https://pharos.example/oauth/authorize' },
      CONSOLE,
      { scope: SCOPE, redirect_uri: 'https://pharos.example/signed-in' },
    )
    const page = await browser.follow(await browser.get(request.url))
    const signedIn = await browser.submit(page, '/sign-in', { email, password: PASSWORD })
    expect(signedIn.location?.href).toMatch(/^https:\/\/pharos\.example\/oauth\/authorize\//)
    const cookies = signedIn.headers.getSetCookie()
    const names = ['__Host-pharos_session', '__Host-pharos_session.sig', '__Host-pharos_devices']
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(names)
    for (const cookie of cookies) {
      for (const attribute of ['path=/', 'secure', 'httponly', 'samesite=lax'])
        expect(cookie).toContain(attribute)
      expect(cookie).not.toContain('domain')
    }
    await behind.close()
  })
})
