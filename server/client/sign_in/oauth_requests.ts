// The requests of a sign-in to the authorization server of a service: discovery (RFC 8414), registration (RFC 7591), code
// with PKCE (RFC 6749, RFC 7636, RFC 9207), renewal, revocation (RFC 7009).
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  type CustomFetchOptions,
  calculatePKCECodeChallenge,
  customFetch,
  discoveryRequest,
  dynamicClientRegistrationRequest,
  generateRandomCodeVerifier,
  generateRandomState,
  None,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processDynamicClientRegistrationResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  revocationRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
} from 'oauth4webapi'
import { getBytes, type HttpQuestion, LARGEST_ANSWER_BYTES, NoAnswer } from '../../../shared/cli/get_bytes.ts'
import { Complaint, caught, printable } from '../../../shared/cli/terminal.ts'
import { textAt } from '../../../shared/proof/json_value.ts'
import { originOf } from './profiles.ts'
import type { Tokens } from './secret.ts'

const CLIENT_NAME = 'Pharos command line'
const SCOPE = 'api:read api:write'

const REQUEST_MS = 10_000

/**
 * The service answers a refresh token that it has seen once more for ten seconds, and no later. So an answer that is lost
 * is asked for again before that.
 */
const RENEWAL_MS = 4_000

type Sent = CustomFetchOptions<string, URLSearchParams | string | undefined>

/** Requests as every other one of this program is made: with ceilings, and without following redirects. */
const options = (origin: string, milliseconds = REQUEST_MS) => ({
  // People choose http for their own computer or network, and are told what that means.
  [allowInsecureRequests]: origin.startsWith('http:'),
  [customFetch]: async (url: string, { method, headers, body }: Sent): Promise<Response> => {
    const question: HttpQuestion =
      method === 'POST' ? { method, headers, body: String(body ?? '') } : { headers }
    const ceilings = { bytes: LARGEST_ANSWER_BYTES, milliseconds }
    const { status, bytes } = await getBytes(new URL(url), question, ceilings)
    if (status === 429 || status >= 500)
      throw new NoAnswer(`${origin} answered ${status}.`, { advice: 'Try again in a moment.' })
    const text = new TextDecoder().decode(bytes)
    return new Response(text === '' ? null : text, {
      status,
      headers: { 'content-type': 'application/json' },
    })
  },
})

/**
 * Begins a sign-in. Registers this program, once for each of them: who has signed out leaves nothing behind.
 * @param redirectUri where the browser is sent when the person has signed in
 * @throws Complaint
 */
export const depart = (origin: string, redirectUri: string) =>
  told(origin, async () => {
    const server = await discover(origin)
    const metadata = {
      client_name: CLIENT_NAME,
      redirect_uris: [redirectUri],
      token_endpoint_auth_method: 'none',
    }
    const client = await processDynamicClientRegistrationResponse(
      await dynamicClientRegistrationRequest(server, metadata, options(origin)),
    )
    const state = generateRandomState()
    const verifier = generateRandomCodeVerifier()
    const url = new URL(server.authorization_endpoint ?? '')
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      scope: SCOPE,
      resource: origin,
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString()
    return {
      /** Where the person signs in. */
      url,
      state,
      /** Exchanges what the browser brought for tokens. @throws Complaint */
      arrive: (brought: URLSearchParams): Promise<Tokens> =>
        told(origin, async () => {
          const checked = validateAuthResponse(server, client, brought, state)
          const answer = await authorizationCodeGrantRequest(
            server,
            client,
            None(),
            checked,
            redirectUri,
            verifier,
            options(origin),
          )
          return tokensOf(client, await processAuthorizationCodeResponse(server, client, answer))
        }),
    }
  })

/**
 * The tokens that follow. Undefined when the sign-in has ended.
 * @throws Complaint
 */
export const renewedTokens = (origin: string, tokens: Tokens): Promise<Tokens | undefined> =>
  told(origin, async () => {
    const server = await discover(origin)
    const { client_id, refresh_token } = tokens
    const client = { client_id }
    const ask = () =>
      refreshTokenGrantRequest(server, client, None(), refresh_token, options(origin, RENEWAL_MS))
    try {
      // A lost answer leaves nobody knowing the next token, and the same question gets it again.
      const first = await ask().catch(caught(NoAnswer))
      const answer = first instanceof NoAnswer ? await ask() : first
      return tokensOf(client, await processRefreshTokenResponse(server, client, answer), tokens)
    } catch (error) {
      if (error instanceof ResponseBodyError) return undefined
      throw error
    }
  })

/** Takes back all that came of the sign-in. @throws Complaint */
export const revokeTokens = (origin: string, { client_id, refresh_token }: Tokens): Promise<void> =>
  told(origin, async () => {
    const server = await discover(origin)
    const answer = await revocationRequest(server, { client_id }, None(), refresh_token, options(origin))
    await processRevocationResponse(answer)
  })

const ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
] as const

/**
 * All of a sign-in happens at the service itself: the address of a page is handed to the system, which opens addresses of
 * every kind.
 * @throws Complaint when the service goes by another address, or leads to another one
 */
async function discover(origin: string): Promise<AuthorizationServer> {
  const answer = await discoveryRequest(new URL(origin), { ...options(origin), algorithm: 'oauth2' })
  if (answer.status === 404)
    throw new Complaint(`${origin} knows no sign-in.`, { advice: 'Is it the address of a Pharos service?' })
  const issuer = textAt(await answer.clone().json(), 'issuer')
  if (issuer !== undefined && originOf(issuer) !== origin)
    throw new Complaint(`${origin} calls itself ${issuer}.`, {
      advice: `If that is the service you mean, name it so: --url ${issuer}`,
    })
  const server = await processDiscoveryResponse(new URL(origin), answer)
  const strange = ENDPOINTS.find((name) => originOf(server[name] ?? '') !== origin)
  if (strange === undefined) return server
  throw new Complaint(`${origin} signs nobody in by itself: it names ${server[strange] ?? 'no'} ${strange}.`)
}

/** When the service does not say how long a token is valid. */
const USUAL_LIFETIME_SECONDS = 300

/** A renewal without a new refresh token leaves the old one valid, and one without scopes the old ones. */
function tokensOf(
  { client_id }: Client,
  { access_token, refresh_token: next, scope, expires_in }: TokenEndpointResponse,
  before?: Tokens,
): Tokens {
  const refresh_token = next ?? before?.refresh_token
  if (refresh_token === undefined) throw new Complaint('The service gave no refresh token.')
  return {
    client_id,
    access_token,
    refresh_token,
    scope: scope ?? before?.scope ?? SCOPE,
    ends_at: new Date(Date.now() + (expires_in ?? USUAL_LIFETIME_SECONDS) * 1_000).toISOString(),
  }
}

/** What the library throws becomes a sentence for the person. */
async function told<T>(origin: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Complaint) throw error
    if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
      throw new Complaint(
        `${origin} did not sign you in (${printable(error.error)}): ${printable(error.error_description ?? 'it says no more')}.`,
        { exitCode: 4 },
      )
    if (error instanceof OperationProcessingError || error instanceof SyntaxError)
      throw new Complaint(`${origin} answered something that does not belong to a sign-in: ${error.message}.`)
    throw error
  }
}
