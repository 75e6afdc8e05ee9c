// The requests of the console to the authorization server: code and PKCE (RFC 6749, RFC 7636, RFC 9207).
// Loaded when it is needed, because who signs in with a key never needs it.
import * as oauth from 'oauth4webapi'
import { ApiFailure } from '../data/api_failure.ts'
import { retryAfterMs } from '../data/retry_schedule.ts'
import { textAt } from '../data/shape.ts'
import { RETURN_PATH } from './sign_in_trip.ts'
import { refusalWords } from './sign_in_words.ts'
import { signInOver, TokenKeeper, type Tokens } from './token_keeper.ts'

const CLIENT: oauth.Client = { client_id: 'console' }
const SCOPE = 'api:read api:write account console:read'
const REQUEST_TIMEOUT_MS = 15_000

/** When the server does not say how long a token is valid. */
const USUAL_LIFETIME_MS = 300_000
/** A timer cannot wait much longer. */
const LONGEST_LIFETIME_MS = 86_400_000

const server = (): oauth.AuthorizationServer => {
  const { origin } = window.location
  return {
    issuer: origin,
    token_endpoint: `${origin}/oauth/token`,
    authorization_response_iss_parameter_supported: true,
  }
}

type Sent = Omit<oauth.CustomFetchOptions<string, URLSearchParams | undefined>, 'redirect'>

const ALWAYS = { redirect: 'error', credentials: 'omit', cache: 'no-store' } as const

const options = () => ({
  // A page that was loaded over http gains nothing when its own origin is refused.
  [oauth.allowInsecureRequests]: window.location.protocol === 'http:',
  [oauth.customFetch]: (url: string, { method, headers, body, signal }: Sent) =>
    fetch(url, { method, headers, body: body ?? null, signal: signal ?? null, ...ALWAYS }),
  signal: () => AbortSignal.timeout(REQUEST_TIMEOUT_MS),
})

const redirectUri = (): string => window.location.origin + RETURN_PATH

/** What a question is bound to. */
type Asker = { readonly state: string; readonly verifier: string }

/** `silent`: the service answers at once, and shows no page. */
export const departure = async (silent: boolean): Promise<Asker & { readonly url: string }> => {
  const state = oauth.generateRandomState()
  const verifier = oauth.generateRandomCodeVerifier()
  const url = new URL('/oauth/authorize', window.location.origin)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT.client_id,
    redirect_uri: redirectUri(),
    scope: SCOPE,
    resource: window.location.origin,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(silent ? { prompt: 'none' } : {}),
  }).toString()
  return { url: url.href, state, verifier }
}

/**
 * The origin at which people sign in, which is not this one when the page was opened under another name.
 * @throws ApiFailure
 */
export const issuer = async (): Promise<string> =>
  asked(async () => {
    const response = await oauth.discoveryRequest(new URL(server().issuer), {
      ...options(),
      algorithm: 'oauth2',
    })
    if (!response.ok) throw unexpected(response)
    const url = URL.parse(textAt(await response.json(), 'issuer') ?? '')
    if (url === null || !/^https?:$/.test(url.protocol)) throw unexpected(response)
    return url.origin
  })

/**
 * Exchanges what the service sent back for tokens.
 * @throws ApiFailure, `refused` when the person is not signed in at the service, or stopped there
 */
export const arrival = ({ state, verifier }: Asker, parameters: URLSearchParams): Promise<Tokens> =>
  asked(async () => {
    const as = server()
    const checked = oauth.validateAuthResponse(as, CLIENT, parameters, state)
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      CLIENT,
      oauth.None(),
      checked,
      redirectUri(),
      verifier,
      options(),
    )
    if (isTemporary(response)) throw unexpected(response)
    return tokensOf(await oauth.processAuthorizationCodeResponse(as, CLIENT, response))
  })

/**
 * Signs in without leaving the page, if this browser is signed in at the service: a request follows the redirect
 * that the page would otherwise follow, and its answer tells where that led.
 * @throws ApiFailure
 */
export const silentArrival = async (): Promise<Tokens> => {
  const { url, ...asker } = await departure(true)
  const came = await asked(async () => {
    const response = await fetch(url, {
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    })
    await response.body?.cancel()
    const led = new URL(response.url)
    if (led.pathname !== RETURN_PATH) throw unexpected(response)
    return led.searchParams
  })
  return arrival(asker, came)
}

/** @throws ApiFailure, `unauthorized` when the tokens are not renewed any more */
const refresh = async (refreshToken: string): Promise<Tokens> => {
  if (refreshToken === '') throw signInOver()
  const as = server()
  try {
    return await asked(async () => {
      const response = await oauth.refreshTokenGrantRequest(as, CLIENT, oauth.None(), refreshToken, options())
      if (isTemporary(response)) throw unexpected(response)
      return tokensOf(await oauth.processRefreshTokenResponse(as, CLIENT, response), refreshToken)
    })
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError) throw signInOver()
    throw error
  }
}

/** @param ended called once, when the tokens cannot be renewed any more */
export const keeperOf = (tokens: Tokens, ended: () => void): TokenKeeper =>
  new TokenKeeper({ refresh, ended, online: () => navigator.onLine, random: Math.random }, tokens)

/** A renewal without a new refresh token leaves the old one valid. */
const tokensOf = (answer: oauth.TokenEndpointResponse, before = ''): Tokens => ({
  accessToken: answer.access_token,
  refreshToken: answer.refresh_token ?? before,
  lifetimeMs: Math.min((answer.expires_in ?? 0) * 1_000 || USUAL_LIFETIME_MS, LONGEST_LIFETIME_MS),
})

const isTemporary = ({ status }: Response): boolean => status === 429 || status >= 500

const unexpected = ({ status, headers }: Response): ApiFailure =>
  new ApiFailure(status === 429 ? 'rate_limited' : 'server', `The service answered ${status}.`, {
    retryAfterMs: retryAfterMs(headers.get('retry-after'), Date.now()),
  })

/** Turns what the library and the browser throw without an answer of the service into failures with words. */
const asked = async <T>(ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError)
      throw new ApiFailure('refused', refusalWords(error.error), { code: error.error })
    if (error instanceof oauth.OperationProcessingError)
      throw new ApiFailure('unreadable', 'The answer of the service does not belong to this sign-in.')
    if (error instanceof TypeError || error instanceof DOMException)
      throw new ApiFailure('unreachable', 'The service cannot be reached.')
    throw error
  }
}
