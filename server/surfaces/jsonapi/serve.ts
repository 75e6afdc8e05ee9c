// The JSON:API surface: everything below /api/json goes through the steps, and every answer leaves through here.
import { hash } from 'node:crypto'
import type { Middleware } from 'koa'
import { JsonText } from '../../kernel/json_text.ts'
import type { Log } from '../../kernel/log.ts'
import { errorDocument, JSON_API } from '../http/error_document.ts'
import { answerInsufficientScope, InsufficientScope } from '../http/insufficient_scope.ts'
import { problemsOf, retryAfterHeader, statusOf } from '../http/problem_of.ts'
import { leavesBodyUnread } from '../http/read_body.ts'
import type { Exchange, House } from './exchange.ts'
import { runSteps } from './pipeline.ts'
import { API_ROOT } from './routes.ts'

export function serveJsonApi(house: House, log: Log): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== API_ROOT && !ctx.path.startsWith(`${API_ROOT}/`)) return next()
    const exchange: Exchange = {
      ctx,
      query: new URLSearchParams(ctx.querystring),
      parameters: {},
      attributes: {},
    }
    try {
      await house.drain.run(() => runSteps(exchange, house))
    } catch (error) {
      if (error instanceof InsufficientScope) return withoutBody(exchange, error)
      const problems = problemsOf(error, log)
      ctx.status = statusOf(problems)
      ctx.body = errorDocument(problems, exchange.operation?.kind === 'action' ? '/data' : '/data/attributes')
      ctx.state.answered = { codes: problems.map(({ code }) => code), error_id: problems[0]?.id }
      if (leavesBodyUnread(ctx.status)) ctx.set('Connection', 'close')
      ctx.set(retryAfterHeader(problems))
    }
    noteWho(exchange)
    send(exchange)
  }
}

function withoutBody(exchange: Exchange, missing: InsufficientScope): void {
  answerInsufficientScope(exchange.ctx, missing)
  exchange.ctx.set('Vary', 'Accept')
  exchange.ctx.set('Cache-Control', 'private, no-cache')
  noteWho(exchange)
}

/** For the line that is logged of every request. */
function noteWho({ ctx, operation, caller }: Exchange): void {
  ctx.state.answered = { ...ctx.state.answered, operation: operation?.name, user_id: caller?.userId }
}

/** Text, type and validators. The type carries no charset. Text leaves with the head in one write, bytes would not. */
function send({ ctx, operation }: Exchange): void {
  const body = ctx.body instanceof JsonText ? ctx.body.text : JSON.stringify(ctx.body)
  ctx.set('Content-Type', JSON_API)
  ctx.body = body
  ctx.set('Vary', 'Accept')
  ctx.set('Cache-Control', 'private, no-cache')
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
  if (ctx.status !== 200 || !isRead || operation === undefined || operation.kind === 'list') return
  const etag = `"${hash('sha256', body, 'base64url')}"`
  ctx.set('ETag', etag)
  const known = ctx.get('If-None-Match')
  if (
    known === '' ||
    !(known === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))
  )
    return
  ctx.status = 304
  ctx.body = null
}
