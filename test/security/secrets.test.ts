// Whoever reads the log or a copy of the database gets nothing to sign in or to call with: every secret that people and
// applications hold is searched in all of both, after each way to get and to use one.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inviteMember } from '../../server/domain/accounts/invite_member.ts'
import { makePasswordReset } from '../../server/domain/accounts/new_password.ts'
import { type BrowserJar, openBrowserJar } from '../support/browser_jar.ts'
import { ask } from '../support/http.ts'
import { registerTestClient, TEST_PASSWORD } from '../support/oauth.ts'
import { pingTools } from '../surfaces/agent/ping_tools.ts'
import { connect, refusedHandshake } from '../surfaces/console/console_client.ts'
import { enterStream } from '../surfaces/graphql/stream_client.ts'
import {
  allow,
  askToken,
  authorize,
  codeExchange,
  consoleTokens,
  form,
  openScene,
  openSignIn,
  otherPerson,
  postForm,
  postPage,
  refreshing,
  type Scene,
  type TokenAnswer,
} from './scene.ts'

let scene: Scene
/** By what it is. */
const secrets = new Map<string, string>()
const keep = (what: string, secret: string | undefined): string => {
  if (secret === undefined || secret.length < 12) throw new Error(`There is no ${what}.`)
  secrets.set(what, secret)
  return secret
}
const keepTokens = (what: string, { access_token, refresh_token }: TokenAnswer): void => {
  keep(`access token ${what}`, access_token)
  keep(`refresh token ${what}`, refresh_token)
}
/**
 * The cookie of a session is its secret. That of a request is the id in its address, and its secret is the signature,
 * which nobody can make from the id.
 */
const keepCookies = (what: string, browser: BrowserJar): void => {
  for (const { name, value } of browser.cookies())
    if (name === 'pharos_session' || name.endsWith('.sig')) keep(`cookie ${name} ${what}`, value)
}

beforeAll(async () => {
  scene = await openScene({ signUpIsOpen: true })
})
afterAll(() => scene.app.close())

async function driveClients(): Promise<void> {
  const { app, browser } = scene
  const signIn = await openSignIn(scene, browser)
  keepCookies('before the sign-in', browser)
  const wrong = keep('wrong password', 'a wrong password for the log')
  await postPage(app, signIn, { fields: { email: scene.email, password: wrong } })
  const mistyped = keep('password in the address', 'typed-in-the-wrong-field@example.com')
  await postPage(app, signIn, {
    fields: { email: mistyped, password: keep('right password', TEST_PASSWORD) },
  })
  const authorized = await authorize(scene)
  keepCookies('after the sign-in', browser)
  keep('code', authorized.code)
  keep('verifier', authorized.request.verifier)
  const exchange = codeExchange(scene, authorized)
  await askToken(app, { ...exchange, code_verifier: keep('wrong verifier', 'w'.repeat(50)) })
  const tokens = await askToken(app, exchange)
  keepTokens('of a code', tokens)
  const renewed = await askToken(app, refreshing(scene, tokens.refresh_token))
  keepTokens('of a refresh', renewed)
  const reused = await allow(scene)
  keepTokens('of a family that ends', reused)
  keepTokens('that ends with it', await askToken(app, refreshing(scene, reused.refresh_token)))
  await askToken(app, refreshing(scene, reused.refresh_token))
  keepTokens('of the console', await consoleTokens(scene))
  keepTokens('for the tools', await allow(scene, { resource: `${app.base}/mcp` }))
  const unused = await authorize(scene)
  keep('code that nobody used', unused.code)
  await postForm(
    app.port,
    '/oauth/token',
    `code=${unused.code}&grant_type=code&code_verifier=${unused.request.verifier}`,
  )
  await ask(app.port, `/oauth/token?${form(codeExchange(scene, unused))}`, { method: 'POST' })

  const confidential = await registerTestClient(scene.server, {
    token_endpoint_auth_method: 'client_secret_basic',
  })
  const secret = keep('client secret', String(confidential.client_secret))
  const basic = Buffer.from(`${confidential.client_id}:${secret}`).toString('base64')
  keep('client secret in a header', basic)
  const theirs = codeExchange({ client: confidential }, await authorize({ ...scene, client: confidential }))
  keep('code of a client with a secret', theirs.code)
  await askToken(app, { ...theirs, client_secret: keep('wrong client secret', `${secret}x`) })
  keepTokens('of a client with a secret', await askToken(app, { ...theirs, client_secret: secret }))
  await postForm(app.port, '/oauth/token', form({ grant_type: 'client_credentials' }), {
    Authorization: `Basic ${basic}`,
  })
  const revoking = form({ token: renewed.refresh_token, client_id: scene.client.client_id })
  expect((await postForm(app.port, '/oauth/revoke', revoking)).status).toBe(200)
}

async function driveSurfaces(): Promise<void> {
  const { app } = scene
  keep('API key', app.owner.key)
  const api = await allow(scene, { scope: 'api:read api:write' })
  keepTokens('of the API', api)
  const unknown = keep('unknown token', 'UnknownUnknownUnknownUnknownUnknownUnknown1')
  const jwt = keep('JWT', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJub2JvZHktYXQtYWxsIn0.')
  for (const token of [api.access_token, unknown, jwt, app.owner.key]) {
    await ask(app.port, '/api/json/users/me', { key: token })
    await ask(app.port, `/api/json/users/me?access_token=${token}&tenant=${token}`, {})
    await ask(app.port, '/api/json/api-keys', { key: token, method: 'POST', body: { json: { token } } })
    await ask(app.port, '/gql', {
      key: token,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ currentUser { id } nothing }', variables: { token } }),
    })
    await pingTools(app.port, token)
  }
  const client = await connect(app.base, api.access_token)
  await client.ask('token.refresh', { token: unknown })
  await client.ask('token.refresh', { token: app.owner.key })
  client.socket.disconnect()
  await refusedHandshake(app.base, { auth: { token: unknown } })
  const stream = await enterStream(app.port, api.access_token)
  stream.socket.close()
  const made = await ask(app.port, '/api/json/api-keys', {
    key: app.owner.key,
    method: 'POST',
    body: { json: { data: { type: 'api_key', attributes: { name: 'made here' } } } },
  })
  keep('new API key', (made.json() as { meta?: { secret?: string } }).meta?.secret)
}

async function driveAccounts(): Promise<void> {
  const { app } = scene
  const em = app.store.em()
  const person = await otherPerson(scene, 'changes-passwords')
  const reset = keep('reset link', await makePasswordReset(em, person.account.userId))
  const resets = openBrowserJar()
  const choosing = await resets.submit(
    await resets.get(`${app.base}/oauth/password-reset`),
    '/password-reset',
    { token: reset },
  )
  await resets.submit(choosing, '/choose', { new_password: keep('refused password', 'passwordpassword') })
  const chosen = keep('chosen password', 'chosen lantern harbour')
  expect((await resets.submit(choosing, '/choose', { new_password: chosen })).status).toBe(200)
  await resets.submit(choosing, '/choose', { new_password: chosen })
  keep('reset link that nobody used', await makePasswordReset(em, person.account.userId))
  const changed = keep('changed password', 'changed lantern harbour')
  const change = (current_password: string) =>
    ask(app.port, '/api/json/users/me/password', {
      key: person.account.key,
      method: 'POST',
      body: { json: { data: { current_password, new_password: changed } } },
    })
  await change(keep('wrong current password', 'not the current one, no'))
  const done = await change(chosen)
  expect(Math.floor(done.status / 100)).toBe(2)

  const teamId = await app.team(app.owner)
  const invite = async (email: string) =>
    (await inviteMember(em, app.owner.userId, { teamId, email, role: 'member' })).token
  keep('invitation that nobody used', await invite('nobody-comes@example.com'))
  const token = keep('invitation', await invite('comes@example.com'))
  const guest = openBrowserJar()
  const invited = await guest.submit(await guest.get(`${app.base}/oauth/invitation`), '/invitation', {
    token,
  })
  const own = keep('password of a guest', 'guests lantern harbour')
  const joined = await guest.submit(invited, '/sign-up', {
    first_name: 'G',
    last_name: '',
    new_password: own,
  })
  expect(joined.status).toBe(200)
  keepCookies('of a guest', guest)
  const newcomer = openBrowserJar()
  const { page } = await openSignIn(scene, newcomer)
  const signedUp = await newcomer.submit(await newcomer.get(`${page.url}/sign-up`), '/sign-up', {
    email: 'newcomer@example.com',
    first_name: '',
    last_name: '',
    new_password: keep('password of a newcomer', 'newcomers lantern harbour'),
  })
  expect(signedUp.status).toBe(303)
  keepCookies('of a newcomer', newcomer)
}

/** Every row of every table as text. Bytes are written as hex, so a secret that is stored as it is shows in hex. */
async function dump(): Promise<string> {
  const tables = await scene.app.query<{ name: string }>(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')`,
  )
  const texts: string[] = []
  for (const { name } of tables)
    for (const { row } of await scene.app.query<{ row: string }>(`SELECT t::text AS row FROM ${name} AS t`))
      texts.push(`${name} ${row}`)
  return texts.join('\n')
}

const spellings = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret, 'base64url').toString('hex'),
]

it('no log line and no row of any table holds a secret', async () => {
  await driveClients()
  await driveSurfaces()
  await driveAccounts()
  const stored = await dump()
  const logged = JSON.stringify(scene.app.logged)
  expect(stored).toContain('oauth_access_tokens')
  expect(logged).toContain('oauth.granted')
  expect(secrets.size).toBeGreaterThan(40)
  const found: string[] = []
  for (const [what, secret] of secrets)
    for (const spelling of spellings(secret)) {
      if (spelling.length < 12) continue
      if (logged.includes(spelling)) found.push(`the log has the ${what}`)
      const row = stored.split('\n').find((one) => one.includes(spelling))
      if (row !== undefined) found.push(`${row.split(' ')[0]} has the ${what}`)
    }
  expect(found).toEqual([])
  expect(scene.app.logged.filter(({ level }) => level === 'error')).toEqual([])
})
