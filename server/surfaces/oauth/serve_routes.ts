// Serves routes of the authorization server and its pages: what each request costs, and how it fails.
import type Koa from 'koa'
import type { Middleware } from 'koa'
import type { ClientAddress } from '../../admission/client_address.ts'
import { type Door, requireRoom } from '../../admission/door.ts'
import type { Admission } from '../../admission/turns.ts'
import { addressKey } from '../../kernel/addresses.ts'
import type { Log } from '../../kernel/log.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Drain } from '../http/drain.ts'
import { type AnsweredProblem, problemsOf, retryAfterHeader, statusOf } from '../http/error_document.ts'
import { answerProblem } from './pages/page.ts'

/** A refusal that is not about OAuth: too many requests, a body that is too large, a database that is away. */
function answerOauthError(ctx: Koa.Context, error: unknown, log: Log): void {
  const problems = problemsOf(error, log)
  const [first] = problems
  ctx.status = statusOf(problems)
  ctx.set(retryAfterHeader(problems))
  ctx.state.answered = { ...ctx.state.answered, codes: problems.map(({ code }) => code), error_id: first?.id }
  answerJson(ctx, { error: errorCode(first), error_description: first?.detail })
}

export function answerJson(ctx: Koa.Context, body: object): void {
  ctx.set('Cache-Control', 'no-store')
  ctx.body = JSON.stringify(body)
  ctx.set('Content-Type', 'application/json')
}

function errorCode(problem: AnsweredProblem | undefined): string {
  if (problem === undefined || problem.code === 'internal') return 'server_error'
  return problem.status === 429 || problem.status >= 500 ? 'temporarily_unavailable' : 'invalid_request'
}

export interface Route {
  readonly path: RegExp
  readonly method: 'GET' | 'POST'
  /** Pages are for people, data for programs: they fail in different forms. */
  readonly answers: 'page' | 'data'
  /** @param matched the groups of the path */
  readonly run: (ctx: Koa.Context, matched: readonly string[]) => Promise<void>
}

export interface ServingRoutes {
  readonly door: Pick<Door, 'address'>
  readonly admission: Pick<Admission, 'admit'>
  readonly drain: Pick<Drain, 'run'>
  readonly clientAddress: ClientAddress
  readonly log: Log
}

/** Requests are charged to the address. */
export const serveRoutes =
  (routes: readonly Route[], { door, admission, drain, clientAddress, log }: ServingRoutes): Middleware =>
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
      if (route === undefined) {
        ctx.set('Allow', here.map((one) => (one.method === 'GET' ? 'GET, HEAD' : one.method)).join(', '))
        throw refuse('method_not_allowed')
      }
      await drain.run(() => route.run(ctx, route.path.exec(ctx.path)?.slice(1) ?? []))
    } catch (error) {
      if (ctx.headerSent) throw error
      if (first.answers === 'page') answerProblem(ctx, error, log)
      else answerOauthError(ctx, error, log)
    }
  }
