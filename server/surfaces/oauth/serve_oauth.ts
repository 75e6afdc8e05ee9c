// The addresses of the authorization server: which there are, what each request costs, and how it fails.

import type { EntityManager } from '@mikro-orm/postgresql'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import type Provider from 'oidc-provider'
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider'
import { addressKey } from '../../kernel/address_key.ts'
import type { Log } from '../../kernel/log.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Admission } from '../http/admission.ts'
import { type Door, requireRoom } from '../http/charge_request.ts'
import type { ClientAddress } from '../http/client_address.ts'
import type { Drain } from '../http/drain.ts'
import { answerJson, answerOauthError } from './answer_error.ts'
import { plainRequest } from './authorization_request.ts'
import { type BrowserSessions, createBrowserSessions } from './browser_session.ts'
import type { ClientMetadata } from './client_metadata.ts'
import { asPublic } from './cookies.ts'
import { createProvider, ROUTES } from './create_provider.ts'
import { metadataDocuments } from './metadata.ts'
import { answerPage, answerProblem } from './pages/answer_page.ts'
import { messagePage } from './pages/message_page.ts'
import { withPlainBody } from './token_request.ts'

export interface OauthParts {
  /** The public origin. Empty until the server listens. */
  readonly base: () => string
  readonly em: (purpose: 'read' | 'write') => EntityManager
  readonly findClient: (id: string) => Promise<ClientMetadata | undefined>
  readonly cookieKey: string
  readonly clientAddress: ClientAddress
  readonly door: Pick<Door, 'address'>
  readonly admission: Pick<Admission, 'admit'>
  readonly drain: Pick<Drain, 'run'>
  readonly log: Log
}

export interface Oauth {
  readonly sessions: BrowserSessions
  readonly serve: Middleware
}

/** Pages are for people, data for programs: they fail in different forms. */
type Answers = 'page' | 'data'

interface Route {
  readonly path: RegExp
  readonly method: 'GET' | 'POST'
  readonly answers: Answers
  readonly run: (ctx: Koa.Context) => Promise<void>
}

/** The longest query of an authorization request. What is in it is stored until the person has answered. */
const QUERY_LENGTH = 8_192

export function createOauth(parts: OauthParts): Oauth {
  const { base, log } = parts
  let made: Provider | undefined
  const provider = (): Provider => {
    if (base() === '') throw refuse('overloaded')
    made ??= withFaults(createProvider({ ...parts, base: base(), answerError }))
    return made
  }
  const dispatch = async (ctx: Koa.Context): Promise<void> => {
    asPublic(ctx, base())
    for (const middleware of provider().middleware) await middleware(ctx, NOTHING_FURTHER)
    if (ctx.state.fault === undefined) return
    ctx.remove('Location')
    throw ctx.state.fault
  }
  const documents = new Map<string, object>()
  const document = (path: string): object | undefined => {
    if (documents.size === 0) for (const [each, body] of metadataDocuments(base())) documents.set(each, body)
    return documents.get(path)
  }
  const routes: readonly Route[] = [
    {
      path: /^\/oauth\/authorize$/,
      method: 'GET',
      answers: 'page',
      run: async (ctx) => {
        if (ctx.querystring.length > QUERY_LENGTH)
          throw refuse('invalid_argument', {
            detail: `the request is longer than ${QUERY_LENGTH} characters`,
          })
        ctx.querystring = plainRequest(new URLSearchParams(ctx.querystring), base()).toString()
        await dispatch(ctx)
      },
    },
    { path: /^\/oauth\/authorize\/[\w-]{1,64}$/, method: 'GET', answers: 'page', run: dispatch },
    ...[ROUTES.token, ROUTES.revocation].map(
      (path): Route => ({
        path: new RegExp(`^${path}$`),
        method: 'POST',
        answers: 'data',
        run: (ctx) => withPlainBody(ctx, base(), () => dispatch(ctx)),
      }),
    ),
    {
      path: /^\/\.well-known\/oauth-(authorization-server|protected-resource(\/mcp)?)$/,
      method: 'GET',
      answers: 'data',
      run: async (ctx) => {
        ctx.set('Cache-Control', 'public, max-age=300')
        ctx.set('Content-Type', 'application/json')
        ctx.body = JSON.stringify(document(ctx.path))
      },
    },
  ]
  const serve: Middleware = async (ctx, next) => {
    const here = routes.filter(({ path }) => path.test(ctx.path))
    const [first] = here
    if (first === undefined) return next()
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
    const route = here.find((one) => one.method === method)
    try {
      requireRoom(ctx, await parts.door.address(ctx))
      parts.admission.admit(ctx.res, addressKey(parts.clientAddress(ctx.req)))
      if (route === undefined) {
        ctx.set('Allow', here.map((one) => (one.method === 'GET' ? 'GET, HEAD' : one.method)).join(', '))
        throw refuse('method_not_allowed')
      }
      await parts.drain.run(() => route.run(ctx))
    } catch (error) {
      if (ctx.headerSent) throw error
      if (first.answers === 'page') answerProblem(ctx, error, log)
      else answerOauthError(ctx, error, log)
    }
  }
  return Object.freeze({ sessions: createBrowserSessions({ ...parts, provider }), serve })
}

const NOTHING_FURTHER = async (): Promise<void> => undefined

/** The library answers a fault of ours itself. It is answered here instead, as it is everywhere else. */
function withFaults(provider: Provider): Provider {
  provider.on('server_error', (ctx, error) => {
    ctx.state.fault = error
  })
  return provider
}

/** Nothing is sent on to a redirect address that was not found to be the client's own. */
function answerError(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  if (ctx.oidc.route !== 'authorization' && ctx.oidc.route !== 'resume') {
    answerJson(ctx, out)
    return
  }
  const text = `The application sent you here with a request that cannot be answered: ${out.error_description ?? out.error}.`
  answerPage(ctx as unknown as Koa.Context, messagePage({ title: 'This request leads nowhere', text }), {
    status: ctx.status,
  })
}
