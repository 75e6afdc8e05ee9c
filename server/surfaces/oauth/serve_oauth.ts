// The addresses of the authorization server: which there are, what each request costs, how it fails, and what clients
// find out by themselves (RFC 8414, RFC 9728).
import type Koa from 'koa'
import type { Middleware } from 'koa'
import Provider, { type ErrorOut, type KoaContextWithOIDC } from 'oidc-provider'
import { requireRoom } from '../../admission/door.ts'
import type { ProtectedResource } from '../../domain/accounts/scope.ts'
import { AUTH_METHODS } from '../../domain/oauth/client.ts'
import { addressKey } from '../../kernel/addresses.ts'
import { once } from '../../kernel/lru.ts'
import { refuse } from '../../kernel/refusal.ts'
import { accountPages } from './account_pages.ts'
import { asPublic, createBrowserSessions } from './browser_session.ts'
import { clientDocuments, findAnyClient, registerClient } from './clients.ts'
import { createProvider, ROUTES } from './create_provider.ts'
import { interactionPages } from './interaction_pages.ts'
import { answerPage, messagePage } from './pages/page.ts'
import { plainRequest, RESPONSE_MODE, withPlainBody } from './plain_request.ts'
import { createRecorder, recordEvents } from './record_events.ts'
import { resourceAddress, scopesFor } from './resources.ts'
import { answerJson, type OauthHouse, pageRoute, type Route, serveRoutes } from './serve_routes.ts'

const REGISTRATION_PATH = '/oauth/register'

/** A client of nobody in particular: the scopes of our own console are not for others, so they are not published. */
const ANYBODY = ''

const authorizationServer = (base: string): object => ({
  issuer: base,
  authorization_endpoint: `${base}${ROUTES.authorization}`,
  token_endpoint: `${base}${ROUTES.token}`,
  registration_endpoint: `${base}${REGISTRATION_PATH}`,
  revocation_endpoint: `${base}${ROUTES.revocation}`,
  scopes_supported: [...scopesFor('api', ANYBODY), ...scopesFor('mcp', ANYBODY)],
  response_types_supported: ['code'],
  response_modes_supported: [RESPONSE_MODE],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: AUTH_METHODS,
  revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  protected_resources: [resourceAddress(base, 'api'), resourceAddress(base, 'mcp')],
  service_documentation: `${base}/api/json/redoc`,
})

const protectedResource = (base: string, resource: ProtectedResource, name: string): object => ({
  resource: resourceAddress(base, resource),
  authorization_servers: [base],
  scopes_supported: scopesFor(resource, ANYBODY),
  bearer_methods_supported: ['header'],
  resource_name: name,
})

/** Each document by its path. */
const metadataDocuments = (base: string): ReadonlyMap<string, object> =>
  new Map([
    ['/.well-known/oauth-authorization-server', authorizationServer(base)],
    ['/.well-known/oauth-protected-resource', protectedResource(base, 'api', 'Pharos')],
    ['/.well-known/oauth-protected-resource/mcp', protectedResource(base, 'mcp', 'Pharos agent tools')],
  ])

/** The longest query of an authorization request. */
const QUERY_LENGTH = 8_192

export function serveOauth(house: OauthHouse): Middleware {
  const { base, log } = house
  const addressOf = (ctx: KoaContextWithOIDC): string => addressKey(house.clientAddress(ctx.req))
  const findDescribed = clientDocuments({
    get: house.getDocument,
    charge: async () => {
      const { ctx } = Provider
      if (ctx !== undefined) requireRoom(ctx, await house.charge('client_document', addressOf(ctx)))
    },
    onRefused: (client_id, reason) => log.info({ client_id, reason }, 'oauth.client_document_refused'),
  })
  const findClient = findAnyClient(() => house.em('read'), findDescribed)
  const recorder = createRecorder(house)
  const made = once((): Provider => {
    const address = (): string => (Provider.ctx === undefined ? '' : addressOf(Provider.ctx))
    const fresh = createProvider(house, { findClient, address, answerError })
    recordEvents(fresh, recorder)
    // The library answers a fault of ours itself. It is answered here instead, as it is everywhere else.
    fresh.on('server_error', (ctx, error) => {
      ctx.state.fault = error
    })
    return fresh
  })
  const provider = (): Provider => {
    if (base() === '') throw refuse('overloaded')
    return made()
  }
  const dispatch = async (ctx: Koa.Context): Promise<void> => {
    asPublic(ctx, base())
    for (const middleware of provider().middleware) await middleware(ctx, NOTHING_FURTHER)
    if (ctx.state.fault === undefined) return
    ctx.remove('Location')
    throw ctx.state.fault
  }
  const sessions = createBrowserSessions(house, provider)
  const metadata = once(() => metadataDocuments(provider().issuer))
  const routes: readonly Route[] = [
    pageRoute('GET', '/oauth/authorize', async (ctx) => {
      if (ctx.querystring.length > QUERY_LENGTH)
        throw refuse('invalid_argument', { detail: `the request is longer than ${QUERY_LENGTH} characters` })
      // What is asked here is stored until the person has answered.
      if (!sessions.wasHere(ctx)) requireRoom(ctx, await house.door.caller(ctx, undefined))
      ctx.querystring = plainRequest(new URLSearchParams(ctx.querystring), base()).toString()
      await dispatch(ctx)
    }),
    pageRoute('GET', '/oauth/authorize/[\\w-]{1,64}', dispatch),
    ...[ROUTES.token, ROUTES.revocation].map(
      (path): Route => ({
        path: new RegExp(`^${path}$`),
        method: 'POST',
        answers: 'data',
        run: async (ctx) => {
          await withPlainBody(ctx, base(), () => dispatch(ctx))
          if (path !== ROUTES.revocation) return
          // The library opens it to every origin. Which endpoints are, `cors` alone decides.
          for (const name of CORS_HEADERS) ctx.remove(name)
        },
      }),
    ),
    ...interactionPages(house, provider, sessions),
    ...accountPages(house, sessions),
    {
      path: /^\/oauth\/register$/,
      method: 'POST',
      answers: 'data',
      run: async (ctx) => {
        requireRoom(ctx, await house.door.caller(ctx, undefined))
        await registerClient(ctx, house, recorder)
      },
    },
    {
      path: /^\/\.well-known\/oauth-(authorization-server|protected-resource(\/mcp)?)$/,
      method: 'GET',
      answers: 'data',
      run: async (ctx) => {
        answerJson(ctx, metadata().get(ctx.path) ?? {}, 'public, max-age=300')
      },
    },
  ]
  return serveRoutes(routes, house)
}

const CORS_HEADERS = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'] as const

const NOTHING_FURTHER = async (): Promise<void> => undefined

/** Nothing is sent on to a redirect address that was not found to be the client's own. */
function answerError(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  if (ctx.oidc.route !== 'authorization' && ctx.oidc.route !== 'resume') {
    answerJson(ctx, out)
    return
  }
  const text = `The application sent you here with a request that cannot be answered: ${out.error_description ?? out.error}.`
  const title = 'This request leads nowhere'
  answerPage(ctx as unknown as Koa.Context, messagePage({ title, text }), ctx.status)
}
