// What the attacks of this folder begin with: a service, a person who is signed in, and an application that the person
// may allow. Requests to the endpoints are made by hand, because attackers use no library.
import type * as oauth from 'oauth4webapi'
import { openTestApp, type TestAccount, type TestApp, type TestAppOptions } from '../support/app.ts'
import { type BrowserJar, formsOf, openBrowserJar, type Page } from '../support/browser_jar.ts'
import { type Answer, ask } from '../support/http.ts'
import {
  type AuthorizationRequest,
  authorizationRequest,
  discover,
  givePassword,
  registerTestClient,
  signInAndConsent,
} from '../support/oauth.ts'

export interface Scene {
  readonly app: TestApp
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
  /** Where the owner of the service signs in. */
  readonly browser: BrowserJar
  readonly email: string
}

export async function openScene(options: TestAppOptions = {}): Promise<Scene> {
  const app = await openTestApp(options)
  const server = await discover(app.base)
  const [client, email] = await Promise.all([registerTestClient(server), givePassword(app, app.owner)])
  return { app, server, client, browser: openBrowserJar(), email }
}

type Parameters = Readonly<Record<string, string | null>>

export interface Authorized {
  readonly request: AuthorizationRequest
  /** Where the browser was sent, with `code` or `error`. */
  readonly callback: URL
  readonly code: string
}

/** The person signs in where that is needed, and agrees. */
export async function authorize(
  { server, client, browser, email }: Omit<Scene, 'app'>,
  parameters: Parameters = {},
): Promise<Authorized> {
  const request = await authorizationRequest(server, client, parameters)
  const callback = await signInAndConsent(browser, request.url, { email })
  return { request, callback, code: callback.searchParams.get('code') ?? '' }
}

export interface TokenAnswer {
  readonly status: number
  readonly headers: Answer['headers']
  readonly access_token: string
  readonly refresh_token: string
  readonly scope: string
  readonly error: string | undefined
}

type Fields = Readonly<Record<string, string | undefined>>

export const form = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  ).toString()

export const postForm = (
  port: number,
  path: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  ask(port, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body,
  })

/** A request to the token endpoint. */
export async function askToken({ port }: Pick<TestApp, 'port'>, fields: Fields): Promise<TokenAnswer> {
  const answer = await postForm(port, '/oauth/token', form(fields))
  const { access_token = '', refresh_token = '', scope = '', error } = answer.json() as Partial<TokenAnswer>
  return { status: answer.status, headers: answer.headers, access_token, refresh_token, scope, error }
}

/** The request that the client itself would make for its code. */
export const codeExchange = (
  { client }: Pick<Scene, 'client'>,
  { request, code }: Pick<Authorized, 'request' | 'code'>,
) => ({
  grant_type: 'authorization_code',
  client_id: client.client_id,
  code,
  redirect_uri: request.redirectUri,
  code_verifier: request.verifier,
})

/** Tokens as an application gets them. */
export async function allow(scene: Scene, parameters: Parameters = {}): Promise<TokenAnswer> {
  const tokens = await askToken(scene.app, codeExchange(scene, await authorize(scene, parameters)))
  if (tokens.status !== 200) throw new Error(`No tokens, but ${tokens.status} ${tokens.error}`)
  return tokens
}

export const refreshing = ({ client }: Pick<Scene, 'client'>, refresh_token: string) => ({
  grant_type: 'refresh_token',
  client_id: client.client_id,
  refresh_token,
})

export const CONSOLE = { client_id: 'console' } as const

/** What the console gets in the browser of a person who is signed in already. Nobody is asked. */
export async function consoleTokens(
  { app, server, browser }: Pick<Scene, 'app' | 'server' | 'browser'>,
  parameters: Parameters = {},
): Promise<TokenAnswer> {
  const redirect_uri = `${app.base}/signed-in`
  const request = await authorizationRequest(server, CONSOLE, { redirect_uri, ...parameters })
  const { location } = await browser.get(request.url)
  const code = location?.searchParams.get('code') ?? ''
  return askToken(app, codeExchange({ client: CONSOLE }, { request, code }))
}

/** The status that the API answers to a token. */
export const statusWith = async ({ port }: Pick<TestApp, 'port'>, key: string): Promise<number> =>
  (await ask(port, '/api/json/beacons/latest', { key })).status

/** Another person, with another browser. */
export async function otherPerson(
  scene: Scene,
  name: string,
): Promise<Pick<Scene, 'browser' | 'email'> & { readonly account: TestAccount }> {
  const account = await scene.app.account(name)
  return { account, browser: openBrowserJar(), email: await givePassword(scene.app, account) }
}

/** What the browser would send with a request to this path. */
export const cookiesOf = ({ cookies }: Pick<BrowserJar, 'cookies'>, path = '/oauth/authorize'): string =>
  cookies()
    .filter((cookie) => `${path}/`.startsWith(`${cookie.path.replace(/\/$/, '')}/`))
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')

export interface Posting {
  readonly fields?: Fields
  readonly headers?: Readonly<Record<string, string>>
  /** Instead of the fields. */
  readonly body?: string
}

/** Posts a form of a page by hand, with the cookies of a browser. */
export function postPage(
  { port }: Pick<TestApp, 'port'>,
  { page, step, browser }: { readonly page: Page; readonly step: string; readonly browser: BrowserJar },
  { fields = {}, headers = {}, body }: Posting = {},
): Promise<Answer> {
  const found = formsOf(page).find(({ action }) => action.pathname.endsWith(step))
  if (found === undefined) throw new Error(`The page has no form ${step}:\n${page.text}`)
  return postForm(port, found.action.pathname, body ?? form({ ...found.fields, ...fields }), {
    Origin: found.action.origin,
    'Sec-Fetch-Site': 'same-origin',
    Cookie: cookiesOf(browser, found.action.pathname),
    ...headers,
  })
}

/** The sign-in page of an authorization request. */
export async function openSignIn({ server, client }: Pick<Scene, 'server' | 'client'>, browser: BrowserJar) {
  const request = await authorizationRequest(server, client)
  return { request, browser, step: '/sign-in', page: await browser.follow(await browser.get(request.url)) }
}
