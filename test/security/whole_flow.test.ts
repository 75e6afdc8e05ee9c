// An unmodified client library, given only the address of the API, gets through everything that an application does.
import * as oauth from 'oauth4webapi'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { openBrowserJar } from '../support/browser_jar.ts'
import { claimsOf } from '../support/ledger.ts'
import {
  authorizationRequest,
  exchangeCode,
  givePassword,
  INSECURE,
  registerTestClient,
  signInAndConsent,
} from '../support/oauth.ts'
import { testApp } from '../support/test_app.ts'

const app = testApp()

const api = (token: string, method = 'GET', path = '/api/json/beacons/latest') =>
  oauth.protectedResourceRequest(
    token,
    method,
    new URL(path, app.base),
    new Headers(method === 'GET' ? {} : { 'content-type': 'application/json' }),
    method === 'GET'
      ? undefined
      : JSON.stringify({ data: { type: 'item', attributes: { claims: claimsOf('a file') } } }),
    INSECURE,
  )

/** What the API refused the request with. */
const challengeOf = async (request: Promise<Response>) => {
  const error: unknown = await request.then(
    () => undefined,
    (refused: unknown) => refused,
  )
  if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error
  const [challenge] = error.cause
  return { status: error.status, body: await error.response.text(), ...challenge?.parameters }
}

it('an unmodified client finds, registers, reads, steps up, writes, refreshes and revokes by itself', async () => {
  const email = await givePassword(app, app.owner)
  const browser = openBrowserJar()

  const unknown = await challengeOf(api('nothing-that-was-ever-issued'))
  expect(unknown).toMatchObject({ status: 401, error: 'invalid_token' })
  expect(unknown.resource_metadata).toBe(`${app.base}/.well-known/oauth-protected-resource`)
  const resource = await oauth.processResourceDiscoveryResponse(
    new URL(app.base),
    await oauth.resourceDiscoveryRequest(new URL(app.base), INSECURE),
  )
  const issuer = new URL(resource.authorization_servers?.[0] ?? '')
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE }),
  )
  const client = await registerTestClient(server)

  const allowed = async (scope: string) => {
    const request = await authorizationRequest(server, client, { scope, resource: resource.resource })
    const callback = await signInAndConsent(browser, request.url, { email })
    return exchangeCode(server, client, { callback, request })
  }
  const reader = await allowed('api:read')
  expect(reader).toMatchObject({ token_type: 'bearer', expires_in: 900, scope: 'api:read' })
  expect((await api(reader.access_token)).status).toBe(200)
  const refused = await challengeOf(api(reader.access_token, 'POST', '/api/json/items'))
  expect(refused).toMatchObject({
    status: 403,
    body: '',
    error: 'insufficient_scope',
    scope: 'api:write',
    resource_metadata: unknown.resource_metadata,
  })

  const writer = await allowed(`api:read ${refused.scope}`)
  expect((await api(writer.access_token, 'POST', '/api/json/items')).status).toBe(201)
  const renewed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), writer.refresh_token ?? '', INSECURE),
  )
  expect(renewed.scope).toBe('api:read api:write')
  expect((await api(renewed.access_token, 'POST', '/api/json/items')).status).toBe(201)

  // Notices of the database come late, or not at all.
  const [listener] = await app.query(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query ILIKE 'listen%'`,
  )
  const pid = z.object({ pid: z.number() }).parse(listener).pid
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(pid, 'SIGCONT'))
  const ended = await oauth.revocationRequest(
    server,
    client,
    oauth.None(),
    renewed.refresh_token ?? '',
    INSECURE,
  )
  await oauth.processRevocationResponse(ended)
  for (const token of [renewed.access_token, writer.access_token])
    expect(await challengeOf(api(token))).toMatchObject({ status: 401, error: 'invalid_token' })
})
