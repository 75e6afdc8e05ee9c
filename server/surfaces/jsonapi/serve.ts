// The JSON:API surface: every request below /api/json passes the steps, and this file sends every answer.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Middleware } from 'koa'
import { JsonParts } from '../../kernel/json_parts.ts'
import { JsonText } from '../../kernel/json_text.ts'
import type { Log } from '../../kernel/log.ts'
import { collectProblems } from '../../kernel/problems.ts'
import { errorDocument, JSON_API } from '../http/error_document.ts'
import { answerInsufficientScope, InsufficientScope } from '../http/insufficient_scope.ts'
import { refuseWith } from '../http/refuse_with.ts'
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
      problems: collectProblems(house.services.ceilings.problems),
    }
    try {
      await house.drain.run(() => runSteps(exchange, house))
    } catch (error) {
      if (error instanceof InsufficientScope) return withoutBody(exchange, error, house)
      const root = exchange.operation?.kind === 'action' ? '/data' : '/data/attributes'
      ctx.body = errorDocument(refuseWith(ctx, error, log), root)
    }
    noteOperation(exchange)
    send(exchange)
  }
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
  ctx.state.answered = { ...ctx.state.answered, operation: operation.name }
}

/**
 * Larger answers are sent in parts, as fast as the client takes them. Smaller ones are sent as text, which Node
 * writes together with the head in one write; it would not do so with bytes.
 */
const ONE_WRITE_BYTES = 262_144

/** Sends the text with its type and validators. The type has no charset parameter. */
function send({ ctx, operation }: Exchange): void {
  const body = partsOf(ctx.body)
  const isLarge = body.bytes > ONE_WRITE_BYTES
  ctx.body = isLarge ? Readable.from(body.parts, { objectMode: false }) : body.parts.join('')
  if (isLarge) ctx.length = body.bytes
  // After the body, because setting the body sets a type.
  ctx.set('Content-Type', JSON_API)
  ctx.set('Vary', 'Accept')
  ctx.set('Cache-Control', 'private, no-cache')
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
  if (ctx.status !== 200 || !isRead || operation === undefined || operation.kind === 'list') return
  const etag = etagOf(body)
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

const partsOf = (body: unknown): JsonParts =>
  body instanceof JsonParts
    ? body
    : new JsonParts([body instanceof JsonText ? body.text : JSON.stringify(body)])

function etagOf({ parts }: JsonParts): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return `"${hash.digest('base64url')}"`
}
