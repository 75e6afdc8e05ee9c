// Serves routes of the authorization server and its pages: what each request costs, and how it fails.
import type { EntityManager } from '@mikro-orm/postgresql'
import type Koa from 'koa'
import type { Middleware } from 'koa'
import type { ClientAddress } from '../../admission/client_address.ts'
import { type Door, requireRoom } from '../../admission/door.ts'
import type { AccountDoor } from '../../domain/accounts/account_door.ts'
import type { Limits } from '../../domain/limits/limits.ts'
import { addressKey } from '../../kernel/addresses.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import { REFUSALS } from '../../kernel/refusal.ts'
import type { GetPinned } from '../../outgoing/vetted_request.ts'
import { type AnsweredProblem, refuseMethod, refuseWith, retryAfterHeader } from '../http/error_document.ts'
import type { House } from '../http/house.ts'
import { answerBody } from '../http/static_file.ts'
import type { FormTokens } from './form_guard.ts'
import { answerProblem } from './pages/page.ts'

/** A refusal that is not about OAuth: too many requests, a body that is too large, a database that is away. */
function answerOauthError(ctx: Koa.Context, error: unknown, log: Log): void {
  const problems = refuseWith(ctx, error, log)
  const [first] = problems
  ctx.set(retryAfterHeader(problems))
  answerJson(ctx, { error: errorCode(first), error_description: first?.detail })
}

export const answerJson = (ctx: Koa.Context, body: object, caching?: string): void =>
  answerBody(ctx, 'application/json', JSON.stringify(body), caching)

function errorCode(problem: AnsweredProblem | undefined): string {
  if (problem === undefined || problem.code === 'internal') return 'server_error'
  const { status } = REFUSALS[problem.code]
  return status === 429 || status >= 500 ? 'temporarily_unavailable' : 'invalid_request'
}

export interface Route {
  readonly path: RegExp
  readonly method: 'GET' | 'POST'
  /** Pages are for people, data for programs: they fail in different forms. */
  readonly answers: 'page' | 'data'
  /** @param matched the groups of the path */
  readonly run: (ctx: Koa.Context, matched: readonly string[]) => Promise<void>
}

/** @param path the text of a pattern of the whole path */
export const pageRoute = (method: Route['method'], path: string, run: Route['run']): Route => ({
  path: new RegExp(`^${path}$`),
  method,
  answers: 'page',
  run,
})

export interface OauthHouse extends Pick<House, 'base' | 'admission' | 'drain'> {
  readonly em: (purpose: 'read' | 'write') => EntityManager
  readonly accounts: AccountDoor
  /** Reads a document about a client from a host that anybody may name. */
  readonly getDocument: GetPinned
  readonly charge: Limits['charge']
  readonly door: Pick<Door, 'address' | 'caller'>
  readonly clientAddress: ClientAddress
  readonly formTokens: FormTokens
  /** Called when a grant or token was deleted, because notices of the database come later. */
  readonly forgetAccounts: () => void
  /** Signs the cookies. */
  readonly cookieKey: string
  /** Makes the refresh tokens that follow others. */
  readonly refreshKey: Buffer
  readonly metrics: Metrics
  readonly log: Log
}

/** Requests are charged to the address. */
export const serveRoutes =
  (routes: readonly Route[], { door, admission, drain, clientAddress, log }: OauthHouse): Middleware =>
  async (ctx, next) => {
    const here = routes.filter(({ path }) => path.test(ctx.path))
    const [first] = here
    if (first === undefined) return next()
    // The second part of a path that matched is one that a route spells out.
    ctx.state.operation = ctx.path.split('/')[2] ?? 'page'
    const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
    const route = here.find((one) => one.method === method)
    try {
      requireRoom(ctx, await door.address(ctx))
      admission.admit(ctx.res, addressKey(clientAddress(ctx.req)))
      if (route === undefined)
        return refuseMethod(
          ctx,
          here.map((one) => (one.method === 'GET' ? 'GET, HEAD' : one.method)).join(', '),
        )
      await drain.run(() => route.run(ctx, route.path.exec(ctx.path)?.slice(1) ?? []))
    } catch (error) {
      if (ctx.headerSent) throw error
      if (first.answers === 'page') answerProblem(ctx, error, log)
      else answerOauthError(ctx, error, log)
    }
  }
