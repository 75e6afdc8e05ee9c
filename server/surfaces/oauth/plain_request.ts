// What clients send, spelled as the library compares it: the authorization request (RFC 6749 section 4.1.1), before and
// while the library reads it, and the bodies of the token and the revocation endpoint.
import type { IncomingMessage } from 'node:http'
import type Koa from 'koa'
import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { readFields } from './form_guard.ts'
import { grantedOf, resourceAddress, resourceAt } from './resources.ts'

export const AUTHORIZATION_PATH = '/oauth/authorize'

/** The library takes the age of the sign-in from requests for an id token only, so it travels under this name. */
export const SIGN_IN_AGE = 'sign_in_age'

/**
 * How the client gets its answer. The library has other modes as well, which no client needs for a code: a form, which
 * our content policy stops, and the fragment, which scripts of the client's page can read.
 */
export const RESPONSE_MODE = 'query'

/** What is passed on. Everything else is ignored, as RFC 6749 section 3.1 says of unknown parameters. */
const PARAMETERS: ReadonlySet<string> = new Set([
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'login_hint',
  'request',
  'request_uri',
])

/** Values of `prompt` that mean one of ours. Other ones ask for nothing that there is here. */
const PROMPTS: ReadonlyMap<string, string> = new Map([
  ['none', 'none'],
  ['login', 'login'],
  ['consent', 'consent'],
  ['select_account', 'login'],
])

const plainPrompt = (value: string): string =>
  [...new Set(value.split(' ').flatMap((word) => PROMPTS.get(word) ?? []))].join(' ')

/** One form of each resource, and each once. */
export function plainRequest(query: URLSearchParams, base: string): URLSearchParams {
  const plain = new URLSearchParams()
  const resources = new Set<string>()
  for (const [name, value] of query) {
    if (name === 'resource') resources.add(plainResource(value, base))
    else if (name === 'max_age') plain.append(SIGN_IN_AGE, value)
    else if (name === 'response_mode') plain.append(name, value === RESPONSE_MODE ? value : 'unsupported')
    else if (name === 'prompt') plain.append(name, plainPrompt(value))
    else if (PARAMETERS.has(name)) plain.append(name, value)
  }
  for (const resource of resources) plain.append('resource', resource)
  return plain
}

/** Another spelling of one of our resources becomes the usual one. An unknown one stays, and is refused later. */
function plainResource(address: string, base: string): string {
  const resource = resourceAt(base, address)
  return resource === undefined ? address : resourceAddress(base, resource)
}

/**
 * Narrows the request to the scopes of its resource that the client may have. Runs after the redirect address was
 * checked, so the client learns of a refusal. @throws InvalidTarget, InvalidScope
 */
export function settleScopes(ctx: KoaContextWithOIDC, base: string): void {
  const { params, client, resourceServers = {} } = ctx.oidc
  const [address, ...more] = Object.keys(resourceServers)
  const resource = address === undefined ? undefined : resourceAt(base, address)
  if (resource === undefined || more.length > 0)
    throw new errors.InvalidTarget('a request is for one resource')
  if (params === undefined || client === undefined) throw new Error('The request was not read.')
  const asked = typeof params.scope === 'string' ? params.scope : undefined
  const scopes = grantedOf(asked, { resource, clientId: client.clientId })
  if (scopes.length === 0)
    throw new errors.InvalidScope(`none of the scopes is one of ${address}`, asked?.slice(0, 200) ?? '')
  params.scope = scopes.join(' ')
}

/** @throws InvalidRequest */
export function checkSignInAge(age: unknown): void {
  if (age === undefined || (typeof age === 'string' && /^\d{1,9}$/.test(age))) return
  throw new errors.InvalidRequest('max_age is a number of seconds')
}

/** The ceilings of one body. */
const BODY = { bytes: 16_384, fields: 30 } as const

/**
 * The library reads bodies without a time limit, and compares resources by their spelling. So the body is read here,
 * written again with the usual spelling, and handed over as if it came from the connection.
 * @throws unsupported_media_type, request_too_large, request_timeout, invalid_body
 */
export async function withPlainBody(
  ctx: Koa.Context,
  base: string,
  work: () => Promise<void>,
): Promise<void> {
  const fields = await readFields(ctx, BODY)
  const plain = new URLSearchParams(
    [...fields].map(([name, value]) => [name, name === 'resource' ? plainResource(value, base) : value]),
  )
  const given = ctx.req
  const handed = asRead(given, Buffer.from(plain.toString()))
  setRequest(ctx, handed)
  try {
    await work()
  } finally {
    setRequest(ctx, given)
  }
}

function setRequest(ctx: Koa.Context, request: IncomingMessage): void {
  ctx.req = request
  ctx.request.req = request
  ctx.response.req = request
}

/** The same request with another body, which is there at once. */
function asRead(request: IncomingMessage, body: Buffer): IncomingMessage {
  const { 'transfer-encoding': _, ...headers } = request.headers
  return Object.create(request, {
    headers: { value: { ...headers, 'content-length': String(body.length) } },
    readable: { value: true },
    readableEncoding: { value: null },
    iterator: {
      value: async function* () {
        yield body
      },
    },
  })
}
