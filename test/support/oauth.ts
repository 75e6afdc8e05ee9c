// Sign-in and consent as a person does them, and the tokens that a client gets then (oauth4webapi), over plain HTTP.
import * as oauth from 'oauth4webapi'
import { createPasswordHashes } from '../../server/domain/accounts/password.ts'
import { ceilings } from '../../server/kernel/ceilings.ts'
import type { TestAccount, TestApp } from './app.ts'
import { type BrowserJar, openBrowserJar, type Page } from './browser_jar.ts'

/** http is for loopback addresses, where tests run. */
export const INSECURE = { [oauth.allowInsecureRequests]: true } as const

export const TEST_PASSWORD = 'a rather long test password'

let hashed: Promise<string> | undefined

/** Sends what is meant for the service to this server of it. */
export const sentTo =
  (server: Pick<TestApp, 'port'>) =>
  (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(url)
    return fetch(`http://127.0.0.1:${server.port}${pathname}${search}`, init)
  }

/** Gives the account TEST_PASSWORD. Returns its e-mail address. */
export async function givePassword(
  { query }: Pick<TestApp, 'query'>,
  { userId }: Pick<TestAccount, 'userId'>,
): Promise<string> {
  hashed ??= createPasswordHashes(ceilings()).hash(TEST_PASSWORD, { known: 'a test' })
  await query(
    `INSERT INTO passwords (user_id, hash) VALUES ($1, $2)
     ON CONFLICT (user_id) DO UPDATE SET hash = EXCLUDED.hash`,
    [userId, await hashed],
  )
  const [user] = await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
  return user?.email ?? ''
}

export interface Person {
  readonly email: string
  readonly password?: string
  /** What the person unticks. */
  readonly without?: readonly string[]
}

/**
 * Opens an authorization request and answers whatever page comes: signs in, and agrees. Returns where the browser is
 * sent at last, with `code` or `error`.
 */
export async function signInAndConsent(
  browser: BrowserJar,
  request: string | URL,
  { email, password = TEST_PASSWORD, without = [] }: Person,
): Promise<URL> {
  let page: Page = await browser.follow(await browser.get(request))
  for (let steps = 0; steps < 4 && page.location === undefined; steps += 1) {
    const isSignIn = page.text.includes('name="password"')
    const answered = isSignIn
      ? await browser.submit(page, '/sign-in', { email, password })
      : await browser.submit(page, '/consent', Object.fromEntries(without.map((name) => [name, undefined])))
    page = await browser.follow(answered)
  }
  if (page.location === undefined) throw new Error(`No redirect, but ${page.status}:\n${page.text}`)
  return page.location
}

export const discover = async (base: string): Promise<oauth.AuthorizationServer> => {
  const issuer = new URL(base)
  const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE })
  return oauth.processDiscoveryResponse(issuer, answer)
}

/** Registers a public client, unless the metadata says otherwise. */
export async function registerTestClient(
  server: oauth.AuthorizationServer,
  metadata: Partial<oauth.Client> & { redirect_uris?: string[] } = {},
): Promise<oauth.Client> {
  const answer = await oauth.dynamicClientRegistrationRequest(
    server,
    {
      client_name: 'A test client',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
      ...metadata,
    },
    INSECURE,
  )
  return oauth.processDynamicClientRegistrationResponse(answer)
}

export const REDIRECT_URI = 'https://client.example/callback'

export interface AuthorizationRequest {
  readonly url: URL
  readonly verifier: string
  readonly state: string
  readonly redirectUri: string
}

/** @param parameters replace the usual ones; null leaves one out */
export async function authorizationRequest(
  server: oauth.AuthorizationServer,
  { client_id }: Pick<oauth.Client, 'client_id'>,
  parameters: Readonly<Record<string, string | null>> = {},
): Promise<AuthorizationRequest> {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const redirectUri = parameters.redirect_uri ?? REDIRECT_URI
  const url = new URL(server.authorization_endpoint ?? '')
  const all = {
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...parameters,
  }
  for (const [name, value] of Object.entries(all)) if (value !== null) url.searchParams.set(name, value)
  return { url, verifier, state, redirectUri }
}

/** Exchanges the code at the end of an authorization request. */
export async function exchangeCode(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  { callback, request }: { readonly callback: URL; readonly request: AuthorizationRequest },
  authentication: oauth.ClientAuth = oauth.None(),
): Promise<oauth.TokenEndpointResponse> {
  const parameters = oauth.validateAuthResponse(server, client, callback, request.state)
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    parameters,
    request.redirectUri,
    request.verifier,
    INSECURE,
  )
  return oauth.processAuthorizationCodeResponse(server, client, answer)
}

export interface Allowed {
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
  readonly tokens: oauth.TokenEndpointResponse
  readonly browser: BrowserJar
}

export interface Allowing {
  readonly account: Pick<TestAccount, 'userId'>
  readonly scope?: string
  readonly resource?: string
  readonly client?: oauth.Client
  readonly browser?: BrowserJar
}

export const refresh = async (
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  refreshToken: string,
  { authentication = oauth.None(), ...options }: RefreshOptions = {},
): Promise<oauth.TokenEndpointResponse> => {
  const answer = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, {
    ...INSECURE,
    ...options,
  })
  return oauth.processRefreshTokenResponse(server, client, answer)
}

export interface RefreshOptions {
  readonly authentication?: oauth.ClientAuth
  readonly additionalParameters?: Readonly<Record<string, string>>
  readonly [oauth.customFetch]?: (url: string, init: RequestInit) => Promise<Response>
}

/** The error code that an answer of the authorization server has, e.g. `invalid_grant`. */
export const refusedAs = async (asking: Promise<unknown>): Promise<string> => {
  try {
    await asking
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
      return error.error
    if (error instanceof oauth.WWWAuthenticateChallengeError)
      return error.cause[0]?.parameters.error ?? 'unauthorized'
    throw error
  }
  return 'granted'
}

/** The whole of it: a client registers, the person signs in and agrees, and the client gets its tokens. */
export async function allowClient(
  app: Pick<TestApp, 'base' | 'query'>,
  { account, scope, resource, browser = openBrowserJar(), ...given }: Allowing,
): Promise<Allowed> {
  const server = await discover(app.base)
  const client = given.client ?? (await registerTestClient(server))
  const email = await givePassword(app, account)
  const request = await authorizationRequest(server, client, {
    ...(scope === undefined ? {} : { scope }),
    ...(resource === undefined ? {} : { resource }),
  })
  const callback = await signInAndConsent(browser, request.url, { email })
  return { server, client, browser, tokens: await exchangeCode(server, client, { callback, request }) }
}
