// The settings of the authorization server (OAuth 2.1): code and PKCE, opaque tokens, two resources, no id tokens.
import { createHmac, generateKeyPairSync, randomBytes, timingSafeEqual } from 'node:crypto'
import Provider, {
  type Client,
  type Configuration,
  type ErrorOut,
  errors,
  interactionPolicy,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import { FIRST_PARTY_CLIENT, type ProtectedResource } from '../../domain/accounts/scope.ts'
import { activeEmail } from '../../domain/accounts/user.ts'
import { isUnverified } from '../../domain/oauth/described_client.ts'
import { newUuid7, secretHash } from '../../kernel/identifiers.ts'
import { createAdapter } from './adapter.ts'
import { cookieNames, cookieOptions } from './browser_session.ts'
import { type ClientMetadata, ownClient } from './clients.ts'
import { AUTHORIZATION_PATH, checkSignInAge, SIGN_IN_AGE, settleScopes } from './plain_request.ts'
import {
  LIFETIMES,
  refreshTokenSeconds,
  resourceAddress,
  resourceAt,
  scopesFor,
  sessionSeconds,
} from './resources.ts'
import type { OauthHouse } from './serve_routes.ts'

/** What the library takes for the secret is its hash, so what a client sends is hashed before it is compared. */
function comparesHashedSecrets(provider: Provider): void {
  Object.defineProperty(provider.Client.prototype, 'compareClientSecret', {
    value(this: { readonly clientSecret?: string }, given: string): boolean {
      const stored = Buffer.from(this.clientSecret ?? '', 'base64url')
      const hash = secretHash(given)
      return stored.length === hash.length && timingSafeEqual(stored, hash)
    },
  })
}

/**
 * The refresh token that follows one that is used. It is computed from that one, so that two uses at once are
 * answered with the same, although only its hash is stored.
 * @param key derived from the master key: without it nobody knows what follows a token
 */
function computesNextRefreshToken({ RefreshToken }: Provider, key: Buffer): void {
  Object.defineProperty(RefreshToken.prototype, 'generateTokenId', {
    value(): string {
      const used = Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti
      const token = used === undefined ? randomBytes(32) : createHmac('sha256', key).update(used).digest()
      return token.toString('base64url')
    },
  })
}

/** Our own names of its addresses. Nothing else of it is reachable, see `serve_oauth.ts`. */
export const ROUTES = {
  authorization: AUTHORIZATION_PATH,
  token: '/oauth/token',
  revocation: '/oauth/revoke',
} as const

export function createProvider(
  house: OauthHouse,
  {
    findClient,
    address,
    answerError,
  }: {
    readonly findClient: (id: string) => Promise<ClientMetadata | undefined>
    /** The address key of the request that is being answered. */
    readonly address: () => string
    /** Answers with a page that says why the request leads nowhere. */
    readonly answerError: (ctx: KoaContextWithOIDC, out: ErrorOut) => void
  },
): Provider {
  const { em } = house
  const base = house.base()
  const provider = new Provider(base, {
    adapter: createAdapter({ ...house, base, findClient, address }),
    clients: [ownClient(base)],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    clientBasedCORS: () => true,
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: {
      names: cookieNames(base),
      keys: [house.cookieKey],
      long: cookieOptions.long,
      short: cookieOptions.short,
    },
    expiresWithSession: (_ctx, { clientId }) => clientId === FIRST_PARTY_CLIENT,
    extraParams: {
      [SIGN_IN_AGE]: (ctx, age) => {
        checkSignInAge(age)
        settleScopes(ctx, base)
      },
    },
    features: features(base),
    fetch: () => Promise.reject(new Error('The authorization server fetches nothing by itself.')),
    findAccount: async (_ctx, accountId) =>
      (await activeEmail(em('read'), accountId)) === undefined
        ? undefined
        : { accountId, claims: () => ({ sub: accountId }) },
    interactions: {
      policy: interactionPrompts(),
      url: (_ctx, { uid }) => `/oauth/interaction/${uid}`,
    },
    issueRefreshToken: () => true,
    jwks: { keys: [unusedKey()] },
    loadExistingGrant,
    pkce: { required: () => true },
    renderError: answerError,
    responseTypes: ['code'],
    revokeGrantPolicy: ({ oidc }) =>
      !(oidc.route === 'revocation' && oidc.entities.AccessToken !== undefined),
    rotateRefreshToken: true,
    routes: ROUTES,
    scopes: [],
    ttl: {
      AccessToken: LIFETIMES.accessToken,
      AuthorizationCode: LIFETIMES.code,
      Grant: LIFETIMES.refreshToken.idle,
      IdToken: LIFETIMES.code,
      Interaction: LIFETIMES.interaction,
      RefreshToken: (_ctx, token) => refreshTokenSeconds(token),
      Session: (_ctx, session) => sessionSeconds(session),
    },
  } satisfies Configuration)
  comparesHashedSecrets(provider)
  computesNextRefreshToken(provider, house.refreshKey)
  return provider
}

function features(base: string): Configuration['features'] {
  const info = (resource: ProtectedResource, client: Client) => ({
    audience: resourceAddress(base, resource),
    scope: scopesFor(resource, client.clientId).join(' '),
    accessTokenFormat: 'opaque' as const,
    accessTokenTTL: LIFETIMES.accessToken,
  })
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    revocation: { enabled: true, allowedPolicy: (_ctx, { clientId }, token) => token.clientId === clientId },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx, _client, oneOf) => oneOf ?? base,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, address, client) => {
        const resource = resourceAt(base, address)
        if (resource === undefined) throw new errors.InvalidTarget('this resource is none of ours')
        return info(resource, client)
      },
    },
  }
}

/**
 * What the person agreed to before in this browser. Our own console needs nobody's consent: it gets a grant for all
 * that it may do.
 */
async function loadExistingGrant(ctx: KoaContextWithOIDC) {
  const { client, session, account, result, provider, resourceServers = {} } = ctx.oidc
  if (client === undefined || session === undefined || account === undefined) return undefined
  const id = result?.consent?.grantId ?? session.grantIdFor(client.clientId)
  const known = id === undefined ? undefined : await provider.Grant.find(id)
  if (client.clientId !== FIRST_PARTY_CLIENT) return known
  const grant = known ?? newGrant(provider, { accountId: account.accountId, clientId: client.clientId })
  for (const [address, { scope }] of Object.entries(resourceServers)) {
    if (grant.getResourceScope(address) === scope) continue
    grant.addResourceScope(address, scope)
    await grant.save()
  }
  return grant
}

/** Its id is published as that of what the person allowed. */
export function newGrant(
  provider: Provider,
  properties: { readonly accountId: string; readonly clientId: string },
): InstanceType<Provider['Grant']> {
  const grant = new provider.Grant(properties)
  grant.jti = newUuid7()
  return grant
}

/** The library wants a key for id tokens. There are none, so nobody ever sees it. */
const unusedKey = () =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })

const { Check, Prompt } = interactionPolicy

/** When the person is asked: to sign in, and to agree. */
const interactionPrompts = () => [
  new Prompt(
    { name: 'login', requestable: true },
    new Check('no_session', 'the person is not signed in', ({ oidc }) => oidc.account === undefined),
    new Check('sign_in_age', 'the sign-in is older than the client accepts', isTooOld),
  ),
  new Prompt(
    { name: 'consent', requestable: true },
    new Check('unverified_client', 'the person is asked each time', 'interaction_required', isAskedEachTime),
    new Check('scopes_missing', 'the person has not agreed to these scopes', lacksScopes),
  ),
]

function isTooOld({ oidc }: KoaContextWithOIDC): boolean {
  const age = oidc.params?.[SIGN_IN_AGE]
  if (age === undefined || oidc.result?.login !== undefined) return false
  // Nobody signed in less than no time ago, also not in the second that goes on.
  return Number(age) === 0 || oidc.session === undefined || oidc.session.past(Number(age))
}

/** RFC 8252 section 8.6: another program could pose as a client whose address is not https. */
const isAskedEachTime = ({ oidc }: KoaContextWithOIDC): boolean =>
  oidc.client?.clientId !== FIRST_PARTY_CLIENT &&
  oidc.result?.consent === undefined &&
  isUnverified(String(oidc.params?.redirect_uri))

function lacksScopes({ oidc }: KoaContextWithOIDC): boolean {
  const asked = String(oidc.params?.scope ?? '').split(' ')
  return Object.keys(oidc.resourceServers ?? {}).some((resource) => {
    const granted = oidc.entities.Grant?.getResourceScope(resource).split(' ') ?? []
    return asked.some((scope) => !granted.includes(scope))
  })
}
