// The JSON:API surface: every request below /api/json passes the steps, and each of them is answered.
import type Koa from 'koa'
import type { Middleware } from 'koa'
import { API_ROOT } from '../../catalog/route_list.ts'
import type { AtOnce } from '../../kernel/flow/at_once.ts'
import type { Log } from '../../kernel/log.ts'
import { collectProblems } from '../../kernel/problems.ts'
import { answerInsufficientScope, InsufficientScope } from '../http/challenge.ts'
import { errorDocument, refuseWith } from '../http/error_document.ts'
import { answeredOf } from '../http/identify.ts'
import type { Exchange, House } from './exchange.ts'
import { runSteps } from './pipeline.ts'
import { send } from './send.ts'

export function serveJsonApi(house: House, log: Log): Middleware {
  const serve = (ctx: Koa.Context): AtOnce<void> => {
    const exchange: Exchange = {
      ctx,
      query: new URLSearchParams(ctx.querystring),
      parameters: {},
      attributes: {},
      problems: collectProblems(house.services.ceilings.problems),
    }
    const answered = (): AtOnce<void> => {
      noteOperation(exchange)
      const sent = send(exchange)
      // The collector may count an exchange that waited for its turn as old, and would then keep the answer with it
      // until the whole heap is collected.
      exchange.body = undefined
      return sent
    }
    const refused = (error: unknown): AtOnce<void> => {
      if (error instanceof InsufficientScope) withoutBody(exchange, error, house)
      else {
        const root = exchange.operation?.kind === 'action' ? '/data' : '/data/attributes'
        exchange.body = errorDocument(refuseWith(ctx, error, log), root)
        return answered()
      }
    }
    try {
      const underWay = house.drain.run(() => runSteps(exchange, house))
      if (underWay instanceof Promise) return underWay.then(answered, refused)
    } catch (error) {
      return refused(error)
    }
    return answered()
  }
  return (ctx, next) => (ctx.path === API_ROOT || ctx.path.startsWith(`${API_ROOT}/`) ? serve(ctx) : next())
}

function withoutBody(exchange: Exchange, missing: InsufficientScope, { base }: House): void {
  answerInsufficientScope(exchange.ctx, missing, { resource: 'api', base })
  exchange.ctx.set('Vary', 'Accept')
  exchange.ctx.set('Cache-Control', 'private, no-cache')
  noteOperation(exchange)
}

/** For the log line of the request, and for the metrics. */
function noteOperation({ ctx, operation }: Exchange): void {
  if (operation === undefined) return
  ctx.state.operation = operation.name
  answeredOf(ctx).operation = operation.name
}
